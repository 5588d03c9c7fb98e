import type { Refusal } from "@fairtick/domain";
import { randomBytes } from "node:crypto";
import type { Log } from "../log.ts";

/** PostgreSQL's and the network's ways to say: not reachable now. The next attempt may well succeed. */
const UNREACHABLE = /^(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOENT|EPIPE|57P0[1-5]|53300|08[0-9A-Z]{3})$/;

/**
 * What a caller is told of a fault: NOT_NOW where the database cannot be reached, else SERVER_ERROR with an id.
 * The fault itself stands in the log under that id and never leaves the house.
 */
export function refusalOfFault(fault: unknown, path: string, log: Log): Refusal {
  const id = randomBytes(6).toString("hex");
  const code = typeof fault === "object" && fault !== null && "code" in fault ? String(fault.code) : "";
  if (UNREACHABLE.test(code) || isPoolTimeout(fault)) {
    log.warn({ err: fault, id, path }, "a call cannot be answered now");
    return { error: "NOT_NOW" };
  }
  log.error({ err: fault, id, path }, "a call failed");
  return { error: "SERVER_ERROR", params: { id } };
}

/** pg's pool has no code for it. */
function isPoolTimeout(fault: unknown): boolean {
  return fault instanceof Error && /timeout exceeded when trying to connect|Connection terminated/.test(fault.message);
}
