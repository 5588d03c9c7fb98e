import { Writable } from "node:stream";
import pg from "pg";
import type { Database } from "./database.ts";

/** A prepared statement: its plan is made once for each connection and kept under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export type Cell = bigint | number | string | boolean | Buffer | null;
export type Row = readonly Cell[];
export type Step = readonly [statement: Statement, values?: readonly unknown[]];

/**
 * One connection whose statements are pipelined: a flush of several costs one round trip. For the order path and
 * settlement, where the number of round trips is what a transaction costs.
 */
export interface Lane {
  /**
   * Sends all statements at once and answers their rows, in the same order. PostgreSQL's first error is thrown once
   * everything sent was answered; what stood behind it in the transaction had no effect.
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
  const client = new pg.Client({ ...options, options: [options.options, ...settings].join(" "), pipeline: true });
  let usable = true;
  const lose = () => {
    usable = false;
  };
  client.on("error", lose);
  client.on("end", lose);
  await client.connect();
  const stream = streamOf(client);
  return {
    async flush(steps) {
      // One write for all of them: a system call for each statement costs more than all else that Node does here.
      stream?.cork();
      const sent = Promise.allSettled(steps.map((step) => ask(client, step)));
      stream?.uncork();
      const answers = await sent;
      return answers.map((answer) => {
        if (answer.status === "rejected") throw answer.reason;
        return answer.value;
      });
    },
    isUsable: () => usable,
    async close() {
      usable = false;
      await client.end();
    },
  };
}

/**
 * By callback: the driver's own promises on one connection keep each other's rows alive until V8 collects its old
 * generation, so that each collection of the young one copies them.
 */
function ask(client: pg.Client, [{ name, text }, values = []]: Step): Promise<readonly Row[]> {
  return new Promise((resolve, reject) => {
    client.query<Cell[]>({ name, text, values: [...values], rowMode: "array" }, (error: Error | null, result) => {
      if (error === null) resolve(result.rows);
      else reject(error);
    });
  });
}

/** The client's socket, which the driver's types leave out; undefined where a later version keeps it elsewhere. */
function streamOf(client: pg.Client): Writable | undefined {
  const { connection } = client as pg.Client & { connection?: { stream?: unknown } };
  return connection?.stream instanceof Writable ? connection.stream : undefined;
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
