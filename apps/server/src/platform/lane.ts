import pg from "pg";
import type { Database } from "./database.ts";
import { proveRole } from "./prove-role.ts";
import { Flush, type PreparedStatements } from "./flush.ts";

/** A prepared statement: its plan is made once for each connection and kept under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export type Cell = bigint | number | string | boolean | Buffer | null;
export type Row = readonly Cell[];
/** A parameter. Bytes are the value in PostgreSQL's binary form, as `binary-array.ts` writes arrays; all else travels as text. */
export type Value = Cell | Uint8Array;
export type Step = readonly [statement: Statement, values?: readonly Value[]];

/**
 * One connection whose statements are pipelined: a flush of several costs one round trip. For the order path and
 * settlement, where the number of round trips is what a transaction costs.
 */
export interface Lane {
  /**
   * Sends all statements at once and answers their rows, in the same order. Throws PostgreSQL's first error: what stood
   * behind it was not done, a COMMIT among them neither, so that the transaction waits for ROLLBACK.
   */
  flush(steps: readonly Step[]): Promise<readonly (readonly Row[])[]>;
  /** False once the connection is lost; whoever holds the lane opens another one. */
  isUsable(): boolean;
  close(): Promise<void>;
}

export const BEGIN: Statement = { name: "begin", text: "BEGIN" };
export const COMMIT: Statement = { name: "commit", text: "COMMIT" };
export const ROLLBACK: Statement = { name: "rollback", text: "ROLLBACK" };

/**
 * Planner settings of a lane: its statements join short arrays to large tables by key. A plan cached while the tables
 * were empty would hash or scan them whole later, which cost a factor of four.
 */
const LANE_SETTINGS = {
  plan_cache_mode: "force_generic_plan",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  enable_seqscan: "off",
  jit: "off",
  lock_timeout: "1s",
  idle_in_transaction_session_timeout: "2s",
} as const;

/** Opens a connection beside the pool's own, with its address, role and limits. */
export async function openLane(database: Database): Promise<Lane> {
  const options = database.pool.options;
  const settings = Object.entries(LANE_SETTINGS).map(([name, value]) => `-c ${name}=${value}`);
  const config = { ...options, options: [options.options, ...settings].join(" "), pipeline: false };
  const client = new pg.Client(config);
  let usable = true;
  const lose = () => {
    usable = false;
  };
  client.on("error", lose);
  client.on("end", lose);
  await client.connect();
  try {
    await proveRole(client, config);
  } catch (error) {
    await client.end();
    throw error;
  }
  const prepared: PreparedStatements = new Map();
  return {
    flush: (steps) => (steps.length === 0 ? Promise.resolve([]) : flush(client, prepared, steps)),
    isUsable: () => usable,
    async close() {
      usable = false;
      await client.end();
    },
  };
}

function flush(
  client: pg.Client,
  prepared: PreparedStatements,
  steps: readonly Step[],
): Promise<readonly (readonly Row[])[]> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, rows: readonly (readonly Row[])[]) => {
      if (error === null) resolve(rows);
      else reject(error);
    };
    client.query(new Flush({ steps, prepared, client, done }));
  });
}

/**
 * An array parameter of numbers, ids, enum words, symbols or client ids as PostgreSQL's text: none of them holds a
 * character that would have to be quoted.
 */
export function arrayText(values: readonly (bigint | number | string | null)[]): string {
  let text = "";
  for (const value of values) text += value === null ? ",NULL" : `,${value}`;
  return `{${text.slice(1)}}`;
}

/** A cell of a column of type bigint that is never null. Throws a TypeError for anything else. */
export function bigintOf(cell: Cell | undefined): bigint {
  if (typeof cell !== "bigint") throw new TypeError(`expected a bigint, read ${typeof cell}`);
  return cell;
}
