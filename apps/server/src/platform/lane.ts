import pg from "pg";
import type { Database } from "./database.ts";
import { proveRole } from "./prove-role.ts";
import { Flush, type PreparedStatements } from "./flush.ts";

/** A prepared statement. Each connection plans it once and keeps the plan under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export type Cell = bigint | number | string | boolean | Buffer | null;
export type Row = readonly Cell[];
/** A parameter. Bytes are in PostgreSQL's binary form, as `binary-array.ts` makes them; everything else is sent as text. */
export type Value = Cell | Uint8Array;
export type Step = readonly [statement: Statement, values?: readonly Value[]];

/**
 * A connection whose statements are pipelined, so that a flush of several costs one round trip. Used on the order path and in
 * settlement, where round trips dominate the cost of a transaction.
 */
export interface Lane {
  /**
   * Sends all statements at once. Returns the rows of each, in the same order. Throws PostgreSQL's first error. The statements
   * after it were not run, not even a COMMIT, so the transaction waits for ROLLBACK.
   */
  flush(steps: readonly Step[]): Promise<readonly (readonly Row[])[]>;
  /** Returns false once the connection is lost. Then open another lane. */
  isUsable(): boolean;
  close(): Promise<void>;
}

export const BEGIN: Statement = { name: "begin", text: "BEGIN" };
export const COMMIT: Statement = { name: "commit", text: "COMMIT" };
export const ROLLBACK: Statement = { name: "rollback", text: "ROLLBACK" };

/**
 * Planner settings of a lane, whose statements join short arrays to large tables by key. Plans that were cached while the
 * tables were empty would later hash or scan whole tables, which was four times slower.
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

/** Opens a connection outside the pool, with the pool's address, role and limits. */
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
 * Encodes an array parameter as PostgreSQL's text. Only for numbers, ids, enum words, symbols and client ids, which contain no
 * character that would have to be quoted.
 */
export function arrayText(values: readonly (bigint | number | string | null)[]): string {
  let text = "";
  for (const value of values) text += value === null ? ",NULL" : `,${value}`;
  return `{${text.slice(1)}}`;
}

/** Reads a cell of a bigint column that is never null. Throws TypeError for anything else. */
export function bigintOf(cell: Cell | undefined): bigint {
  if (typeof cell !== "bigint") throw new TypeError(`expected a bigint, read ${typeof cell}`);
  return cell;
}
