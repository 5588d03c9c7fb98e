import type { Instant, Tick } from "@fairtick/domain";
import { priceLine } from "@fairtick/transparency";
import type { Queryable } from "../../platform/database.ts";
import type { PriceArchive } from "../price-archive/index.ts";
import { configFromJson, configToJson } from "../trading-config/index.ts";

const MINUTE_MS = 60_000n;

export interface MinuteLines {
  /** Lines `seq,time,price` of the sealed ticks, joined by newlines. */
  readonly text: string;
  /** Whether its `ticks` entry is written. Then no more ticks are added to the minute. */
  readonly finished: boolean;
}

/** Reads the minute that starts at `time`; null if it has no tick that orders may refer to. */
export async function minuteLines(
  database: Queryable,
  archive: PriceArchive,
  symbol: string,
  time: Instant,
): Promise<MinuteLines | null> {
  if (time % MINUTE_MS !== 0n) return null;
  const ticks = await database.query<Tick>(
    `SELECT t.seq, t.time, t.price FROM ticks t JOIN instrument_clock c USING (symbol)
     WHERE t.symbol = $1 AND t.time >= $2 AND t.time < $3 AND t.time <= c.sealed_through AND NOT t.pre_genesis ORDER BY t.time`,
    [symbol, time, time + MINUTE_MS],
    "log_minute",
  );
  if (ticks.length === 0) {
    const text = await archive.minute(symbol, time);
    return text === null ? null : { text, finished: true };
  }
  const [logged] = await database.query(
    "SELECT 1 FROM price_minutes WHERE symbol = $1 AND time = $2",
    [symbol, time],
    "log_minute_logged",
  );
  return { text: ticks.map(priceLine).join("\n"), finished: logged !== undefined };
}

/** Reads a policy's canonical JSON as stored, which is what its entry hashes. Null if there is no such version. */
export async function policyBody(database: Queryable, name: string, version: number): Promise<string | null> {
  const [row] = await database.query<{ body: string }>("SELECT body FROM policies WHERE name = $1 AND version = $2", [
    name,
    version,
  ]);
  return row?.body ?? null;
}

/**
 * Reads a configuration's canonical JSON, which is what its entry hashes (unless someone tampered with the row). Null if
 * there is no such version.
 */
export async function configBody(database: Queryable, version: number): Promise<string | null> {
  const [row] = await database.query<{ body: string }>(
    "SELECT body::text AS body FROM trading_configs WHERE version = $1",
    [version],
  );
  return row === undefined ? null : configToJson(configFromJson(row.body));
}
