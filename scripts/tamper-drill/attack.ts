import { setTimeout as sleep } from "node:timers/promises";
import type { Kept } from "./member.ts";
import type { Product } from "../own-product.ts";
import type { Notice, Watchers } from "./watchers.ts";

/** Rows that an attack changes; they are saved before it and restored afterwards. */
export interface Rows {
  readonly table: string;
  readonly where: string;
}

export interface Attack {
  readonly what: string;
  readonly rows: readonly Rows[];
  readonly statement: string;
  /** Statement that undoes what restoring the rows doesn't. */
  readonly undo?: string;
  /** The order whose owner checks it. */
  readonly order: Kept | null;
}

export interface Result {
  readonly what: string;
  /** The database's error before its guards were removed; null if it has none against this attack. */
  readonly refused: string | null;
  readonly notices: readonly Notice[];
  readonly seconds: number | null;
  /** Seconds until somebody noticed without the house's help; null if nobody did, left out if they were the first. */
  readonly outsideSeconds?: number | null;
}

type Noticed = Pick<Result, "notices" | "seconds" | "outsideSeconds">;

/** A promise of the product: noticed within this time. */
export const NOTICED_MS_MAX = 60_000;
/** How long everybody keeps looking after the house itself has noticed. A log counts as stopped after one minute. */
export const OUTSIDE_MS_MAX = 90_000;
const EVERY_MS = 500;

/** Returns whether the house's own server noticed, through its health or its response to a member. */
export function needsHouse({ who }: Pick<Notice, "who">): boolean {
  return who.startsWith("running server") || who.startsWith("member who");
}

/** Tries with the triggers of the session off; then takes the guards off for good, bends, waits who notices, puts back. */
export async function tryAttack(product: Product, watchers: Watchers, attack: Attack): Promise<Result> {
  const { rows, statement, order, what } = attack;
  await sleep(EVERY_MS);
  const known = new Set((await watchers.look(null)).map(({ sentence }) => sentence));
  const saved = rows.map(
    ({ table, where }, place) => `CREATE TABLE drill_${place} AS SELECT * FROM ${table} WHERE ${where};`,
  );
  if (saved.length > 0) await product.sql(saved.join("\n"));
  let refused: string | null = null;
  try {
    await product.sql(`SET session_replication_role = replica; BEGIN; ${statement}; COMMIT`);
  } catch (error) {
    refused = error instanceof Error ? error.message : String(error);
    await unguarded(product, rows, statement);
  }
  const noticed = await waitForNotice(watchers, order, known);
  const back = rows.map(
    ({ table, where }, place) =>
      `DELETE FROM ${table} WHERE ${where}; INSERT INTO ${table} SELECT * FROM drill_${place}; DROP TABLE drill_${place};`,
  );
  await unguarded(product, rows, [...back, attack.undo ?? ""].join("\n"));
  return { what, refused, ...noticed };
}

async function unguarded(product: Product, rows: readonly Rows[], statement: string): Promise<void> {
  const tables = [...new Set(rows.map(({ table }) => table))];
  const guarded = await product.sql<{ name: string }>(
    "SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname = 'refuse_row_change' AND tgparentid = 0",
  );
  const names = tables.filter((table) => guarded.some(({ name }) => name === table));
  const off = names.map((name) => `ALTER TABLE ${name} DISABLE TRIGGER refuse_row_change;`).join("\n");
  const on = names.map((name) => `ALTER TABLE ${name} ENABLE ALWAYS TRIGGER refuse_row_change;`).join("\n");
  await product.sql(`SET session_replication_role = replica; BEGIN; ${off} ${statement}; ${on} COMMIT`);
}

/** Ignores a connection that breaks during a check, which `fetch` reports as this error: the watchers check again. */
function passOver(error: unknown): [] {
  if (error instanceof TypeError && error.message === "fetch failed") return [];
  throw error;
}

/**
 * Looks until somebody reports a new finding, and keeps looking for a while if only the house has reported one. `known`
 * are earlier findings.
 */
export async function waitForNotice(
  watchers: Watchers,
  order: Kept | null,
  known: ReadonlySet<string>,
): Promise<Noticed> {
  const begun = performance.now();
  let first: Noticed | null = null;
  for (;;) {
    const notices = (await watchers.look(order).catch(passOver)).filter(({ sentence }) => !known.has(sentence));
    const ms = performance.now() - begun;
    const outside = notices.filter((notice) => !needsHouse(notice));
    if (first !== null && outside.length > 0)
      return { ...first, notices: [...first.notices, ...outside], outsideSeconds: ms / 1000 };
    if (outside.length > 0) return { notices, seconds: ms / 1000, outsideSeconds: ms / 1000 };
    if (notices.length > 0) first ??= { notices, seconds: ms / 1000, outsideSeconds: null };
    if (first !== null && ms >= watchers.outsideMs) return first;
    if (first === null && ms > NOTICED_MS_MAX) return { notices: [], seconds: null, outsideSeconds: null };
    await sleep(EVERY_MS);
  }
}
