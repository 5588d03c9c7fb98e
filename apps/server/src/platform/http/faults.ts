import type { Refusal } from "@fairtick/domain";
import { randomBytes } from "node:crypto";
import type { Log } from "../log.ts";

/** Codes by which PostgreSQL and the network say that something isn't reachable now. The next attempt may succeed. */
const UNREACHABLE = /^(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOENT|EPIPE|57P0[1-5]|53300|08[0-9A-Z]{3})$/;

/**
 * Returns what a caller learns about a fault: NOT_NOW if the database can't be reached, otherwise SERVER_ERROR with an id. The
 * fault itself is only in the log, under that id.
 */
export function refusalOfFault(fault: unknown, path: string, log: Log): Refusal {
  const id = randomBytes(6).toString("hex");
  const code = typeof fault === "object" && fault !== null && "code" in fault ? String(fault.code) : "";
  if (UNREACHABLE.test(code) || isRefusedConnection(fault)) {
    log.warn({ err: fault, id, path }, "a call cannot be answered now");
    return { error: "NOT_NOW" };
  }
  log.error({ err: fault, id, path }, "a call failed");
  return { error: "SERVER_ERROR", params: { id } };
}

/**
 * Whether there is no connection for a reason that has no code of its own: a timeout of pg's pool, or a database that is closed
 * to new connections.
 */
function isRefusedConnection(fault: unknown): boolean {
  return (
    fault instanceof Error &&
    /timeout exceeded when trying to connect|Connection terminated|is not currently accepting connections/.test(
      fault.message,
    )
  );
}
