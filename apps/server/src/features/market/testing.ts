import type { Instant, Points } from "@fairtick/domain";
import type { Database } from "../../platform/database.ts";
import { ensureTickPartitions, readClocks, storeGenesis, storeSlot, takeMarket } from "./market-rows.ts";

/** One price for a test, `[time, price]`, in ms and points. */
export type TestPrice = readonly [time: bigint, price: bigint];

export interface TestTape {
  /** Stores each tick as its own slot, and seals up to the last one. */
  play(symbol: string, prices: readonly TestPrice[]): Promise<void>;
  seal(symbol: string, through: bigint): Promise<void>;
}

/**
 * Opens a market without its own clock, which stores whatever a test says, through the same gated statement as the real one.
 * `database` needs the market's role. The symbols start unsealed just before `from`.
 */
export async function openTestTape(database: Database, symbols: readonly string[], from: bigint): Promise<TestTape> {
  const epoch = (await takeMarket(database, 0)) ?? 0n;
  await ensureTickPartitions(database, from as Instant, from as Instant);
  const known = new Set((await readClocks(database)).map((clock) => clock.symbol));
  const missing = symbols.filter((symbol) => !known.has(symbol));
  await storeGenesis(
    database,
    epoch,
    missing.map((symbol) => ({
      symbol,
      candles: [],
      longCandles: [],
      ticks: [],
      sealedThrough: (from - 1n) as Instant,
    })),
  );
  const seqs = new Map((await readClocks(database)).map((clock) => [clock.symbol, clock.seq]));
  return {
    async play(symbol, prices) {
      let seq = seqs.get(symbol) ?? 0n;
      for (const [at, points] of prices) {
        seq += 1n;
        const time = at as Instant;
        const tick = { symbol, seq, time, price: points as Points, late: false };
        await ensureTickPartitions(database, time, time);
        await storeSlot(database, epoch, [tick], [{ symbol, time }]);
      }
      seqs.set(symbol, seq);
    },
    async seal(symbol, through) {
      await storeSlot(database, epoch, [], [{ symbol, time: through as Instant }]);
    },
  };
}
