export * from "./client.ts";
export { TIMEOUT_MS } from "./exchange.ts";
export * from "./operator-client.ts";
export type { CallFailure, CallResult } from "./result.ts";
export { readEnvelope } from "./result.ts";
export * from "./server-clock.ts";
export * from "./stream.ts";
