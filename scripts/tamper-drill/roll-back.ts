import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Result, waitForNotice } from "./attack.ts";
import type { World } from "./log-attacks.ts";
import type { Product } from "../own-product.ts";

const THEN = "fairtick_then";
const MINUTE_MS = 60_000;
const STARTED_MS = 15_000;
/** Longer than the server keeps idle connections, so that the drill never reuses one that is just closing. */
const RECOVERED_MS = 7_500;

function secondsSince(begun: number, { seconds }: Pick<Result, "seconds">): number | null {
  return seconds === null ? null : (performance.now() - begun) / 1000;
}

/** A state that an attacker returns to later. */
export interface Then {
  readonly copiedAt: number;
}

/** Runs `work` while the database has no other connections, as copying or exchanging it requires. */
async function alone(product: Product, name: string, work: () => Promise<unknown>): Promise<void> {
  await product.sql(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`, [], "whole");
  await product.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name], "whole");
  await work();
}

async function databaseName(product: Product): Promise<{ name: string; owner: string }> {
  const [row] = await product.sql<{ name: string; owner: string }>(
    "SELECT datname AS name, pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = current_database()",
  );
  if (row === undefined) throw new Error("the database has no name");
  return row;
}

const logOf = ({ dataDir }: Product) => join(dataDir, "log", "public");
const logThen = ({ folder }: Product) => join(folder, "log-then");

/** Copies the current database and log files. */
export async function copyState(product: Product): Promise<Then> {
  const { name, owner } = await databaseName(product);
  await alone(product, name, async () => {
    await product.sql(`CREATE DATABASE ${THEN} TEMPLATE ${name} OWNER ${owner}`, [], "whole");
    // Nothing is published without access to the tables, so files and tables are from the same moment.
    cpSync(logOf(product), logThen(product), { recursive: true });
    await product.sql(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`, [], "whole");
  });
  return { copiedAt: performance.now() };
}

async function exchange(product: Product): Promise<void> {
  const { name, owner } = await databaseName(product);
  await alone(product, name, async () => {
    await product.sql(`DROP DATABASE IF EXISTS fairtick_now`, [], "whole");
    await product.sql(`ALTER DATABASE ${name} RENAME TO fairtick_now`, [], "whole");
    await product.sql(`CREATE DATABASE ${name} TEMPLATE ${THEN} OWNER ${owner}`, [], "whole");
  });
}

const ago = ({ copiedAt }: Then) => `${((performance.now() - copiedAt) / MINUTE_MS).toFixed(1)} minutes`;

/** Rolls back only the tables, under the running product. */
export async function rollBackDatabase({ product, watchers }: World, then: Then): Promise<Result> {
  const known = new Set((await watchers.look(null)).map(({ sentence }) => sentence));
  const what = `roll the running database back by ${ago(then)}`;
  const begun = performance.now();
  await exchange(product);
  // Errors from broken connections right after the exchange don't count as a notice.
  await sleep(RECOVERED_MS);
  const noticed = await waitForNotice(watchers, null, known);
  return { what, refused: null, notices: noticed.notices, seconds: secondsSince(begun, noticed) };
}

/**
 * Rolls back tables and log files together, so that they agree, and restarts: the house has no memory of what came in
 * between. The witness, which nobody can roll back, and each app do remember it.
 */
export async function rollBackEverything({ product, watchers }: World, then: Then): Promise<Result> {
  const what = `roll database and log's files back together by ${ago(then)}, and start again`;
  await product.end();
  await exchange(product);
  rmSync(logOf(product), { recursive: true, force: true });
  cpSync(logThen(product), logOf(product), { recursive: true });
  const begun = performance.now();
  await product.begin();
  // What every start reports for a moment doesn't count as a notice.
  await sleep(STARTED_MS);
  const noticed = await waitForNotice(watchers, null, new Set());
  return { what, refused: null, notices: noticed.notices, seconds: secondsSince(begun, noticed) };
}
