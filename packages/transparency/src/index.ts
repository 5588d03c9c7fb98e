export * from "./base64.ts";
export * from "./checkpoint.ts";
export * from "./cosignature.ts";
export * from "./keys.ts";
export * from "./note.ts";
export * from "./portable-hashes.ts";
