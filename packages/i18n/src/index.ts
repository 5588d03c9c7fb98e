export * from "./languages.ts";
export type { MessageId } from "./message-ids.ts";
