import { parsePythPrice, SIGNED_SOURCE, slotOfVaa } from "@fairtick/transparency";
import type { Queryable } from "../../../platform/database.ts";

/** Symbol → source → order of the newest quote that a tick may have been made from. */
export type QuoteOrders = ReadonlyMap<string, ReadonlyMap<string, bigint>>;

/** More than any slot. */
const SLOTS = 1n << 64n;

/**
 * Orders signed quotes as the verifiers do: by publish time (seconds since 1970), and by slot within a second. The slot
 * alone would not do, since other guardians may sign for another chain, whose slots have other numbers.
 */
export function signedOrder(publishTime: bigint, slot: bigint): bigint {
  return publishTime * SLOTS + slot;
}

/**
 * Reads the order of each symbol's newest stored signed quote. A market that starts must not take older ones: verifiers
 * refuse a log in which signed quotes go back, and another server of the source may be some seconds behind. An hour
 * before the last tick is enough, because older quotes than that are refused as old anyway.
 */
export async function readSignedOrders(database: Queryable, symbols: readonly string[]): Promise<QuoteOrders> {
  const rows = await database.query<{ symbol: string; message: Uint8Array; vaa: Uint8Array }>(
    `SELECT c.symbol, q.message, u.vaa
     FROM instrument_clock c
     CROSS JOIN LATERAL (
       SELECT time, quote_hash FROM tick_quotes
       WHERE symbol = c.symbol AND time > c.time - 3600000 AND time <= c.time AND quote_hash IS NOT NULL
       ORDER BY time DESC LIMIT 1
     ) t
     JOIN pyth_quotes q ON q.day = t.time / 86400000 AND q.hash = t.quote_hash
     JOIN pyth_updates u ON u.day = q.day AND u.hash = q.update_hash
     WHERE c.symbol = ANY($1)`,
    [symbols],
  );
  const orders = new Map<string, ReadonlyMap<string, bigint>>();
  for (const { symbol, message, vaa } of rows) {
    const said = parsePythPrice(message);
    const slot = slotOfVaa(vaa);
    if (said === null || slot === null) continue;
    orders.set(symbol, new Map([[SIGNED_SOURCE, signedOrder(said.publishTime, slot)]]));
  }
  return orders;
}
