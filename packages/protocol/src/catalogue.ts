import type { Call } from "./call.ts";
import * as declared from "./calls/index.ts";

function isCall(value: unknown): value is Call {
  return typeof value === "object" && value !== null && "path" in value && "input" in value && "output" in value;
}

/** Every call, by its path: what the server must answer, and what the reference and the fuzz tests are made of. */
export const CALLS: readonly Call[] = Object.values<unknown>(declared).filter(isCall);
