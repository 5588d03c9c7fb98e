import type { Instant, Points, Tick } from "@fairtick/domain";
import {
  decideOrder,
  openCheckpoint,
  parseLogEntry,
  parsePriceLines,
  readEntries,
  type SettledOrder,
} from "@fairtick/transparency";
import type { Direction, Outcome } from "@fairtick/domain";
import type { SealedHouse } from "./house.ts";

const ENTRIES_AT_ONCE = 256;
const MINUTE_MS = 60_000n;
/** The house's rule for this instrument, from its published configuration. */
const STALE_EXIT_MS = 5_000n;

/** What the public log says about orders and prices, for a reader who only has its address. */
export interface PublicRecord {
  /** Returns how the log settled the order at that position; undefined if it didn't. */
  settled(batch: number, place: number): SettledOrder | undefined;
  /** Returns the outcome an order at that time would have had; null if the log's prices don't say. */
  decide(order: { readonly at: number; readonly direction: Direction; readonly duration: number }): Outcome | null;
}

/** Reads the whole log and one instrument's prices. */
export async function readPublicRecord({ log, policy }: SealedHouse, symbol: string): Promise<PublicRecord> {
  const note = new TextDecoder().decode((await log.read("checkpoint")) ?? undefined);
  const opened = openCheckpoint(note, policy);
  if (!opened.ok) throw new Error(`the log's checkpoint doesn't verify: ${opened.fault}`);
  const { size } = opened.checkpoint;
  const settled = new Map<string, SettledOrder>();
  const minutes: bigint[] = [];
  for (let bundle = 0; bundle * ENTRIES_AT_ONCE < size; bundle += 1) {
    for (const bytes of await readEntries(log, size, bundle)) {
      const parsed = parseLogEntry(bytes);
      if (!parsed.ok) continue;
      const { entry } = parsed;
      if (entry.kind === "orders.settle") {
        for (const order of entry.orders) settled.set(`${order.batch}/${order.place}`, order);
      }
      if (entry.kind === "ticks" && entry.symbol === symbol) minutes.push(entry.time);
    }
  }
  const ticks: Tick[] = [];
  for (const minute of minutes) {
    const bytes = await log.read(`prices/${symbol}/${minute}`);
    ticks.push(...(parsePriceLines(new TextDecoder().decode(bytes ?? undefined)) ?? []));
  }
  return {
    settled: (batch, place) => settled.get(`${batch}/${place}`),
    decide({ at, direction, duration }) {
      const acceptedAt = BigInt(at) as Instant;
      // There is more than an hour of ticks, so only use those around the order.
      const near = ticks.filter(({ time }) => time > acceptedAt - MINUTE_MS && time < acceptedAt + 2n * MINUTE_MS);
      const terms = { acceptedAt, direction, limitPrice: null as Points | null, durationSeconds: duration };
      const decision = decideOrder(terms, STALE_EXIT_MS, near);
      return decision.state === "decided" ? decision.decided.outcome : null;
    },
  };
}
