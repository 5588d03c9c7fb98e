import { toHex, type Canonical, type Hashes, type Instant, type Tick } from "@fairtick/domain";
import { FIRST_SLOT_HEAD, slotHead, slotLine } from "./acceptance.ts";

// For tests: the slots of a house, and what its log says of them.

export interface Slot {
  readonly k: number;
  readonly time: bigint;
  readonly previous: Uint8Array;
  readonly roots: readonly Uint8Array[];
  readonly lines: string;
  readonly hash: Uint8Array;
  /** Number of the newest batch that the head binds. */
  readonly through: number;
}

export interface SlotOptions {
  readonly bindLate?: number;
  /** Changes a slot's lines before its head is made and signed, as a dishonest house might. */
  readonly bendLines?: ((lines: string, k: number) => string) | undefined;
  /** How much later than they are published a symbol's ticks are dated, ms, as a dishonest house might. */
  readonly datedAhead?: Readonly<Record<string, bigint>> | undefined;
}

interface BoundBatch {
  readonly number: number;
  readonly acceptedAt: Instant;
  readonly root: Uint8Array;
}

/**
 * Makes one slot for each moment at which ticks are published, until `until` (ms). It binds the batches accepted more
 * than `bindLate` slots before it.
 */
export function makeSlots(
  hashes: Hashes,
  ticks: ReadonlyMap<string, readonly Tick[]>,
  batches: readonly BoundBatch[],
  { bindLate = 0, bendLines = (lines) => lines, datedAhead = {} }: SlotOptions,
  until: bigint | null = null,
): Slot[] {
  const slots: Slot[] = [];
  let previous: Uint8Array = FIRST_SLOT_HEAD;
  let through = 0;
  for (const [time, published] of linesByMoment(ticks, datedAhead, until)) {
    const due = batches.slice(through).filter((batch) => batch.acceptedAt + BigInt(bindLate) * 500n < time);
    through += due.length;
    const roots = due.map((batch) => batch.root);
    const k = slots.length + 1;
    const lines = bendLines(published.join("\n"), k);
    const hash = slotHead(hashes, previous, roots, lines);
    const bound = batches[through - 1]?.number ?? 0;
    slots.push({ k, time, previous, roots, lines, hash, through: bound });
    previous = hash;
  }
  return slots;
}

/** Returns the lines that are published at each moment, in order, until `until` (ms). */
function linesByMoment(
  ticks: ReadonlyMap<string, readonly Tick[]>,
  datedAhead: Readonly<Record<string, bigint>>,
  until: bigint | null,
): [time: bigint, lines: string[]][] {
  const moments = new Map<bigint, string[]>();
  for (const symbol of [...ticks.keys()].sort()) {
    for (const tick of ticks.get(symbol) ?? []) {
      const time = tick.time - (datedAhead[symbol] ?? 0n);
      if (until !== null && time > until) break;
      const lines = moments.get(time) ?? [];
      lines.push(slotLine(symbol, tick));
      moments.set(time, lines);
    }
  }
  return [...moments].toSorted(([left], [right]) => Number(left - right));
}

export function headsFields(held: readonly Slot[]): Readonly<Record<string, Canonical>> {
  const ticks: Record<string, number[]> = {};
  for (const [place, slot] of held.entries()) {
    for (const line of slot.lines.split("\n")) {
      const [symbol = "", seq = "0"] = line.split(",");
      // A bent line need not name an instrument, but a log's entry can't name anything else.
      if (!/^[A-Z]+$/.test(symbol)) continue;
      const counts = (ticks[symbol] ??= [Number(seq), ...held.map(() => 0)]);
      counts[place + 1] = (counts[place + 1] ?? 0) + 1;
    }
  }
  return {
    batches: held.map((slot) => slot.through),
    from: held[0]?.k ?? 0,
    heads: held.map((slot) => toHex(slot.hash)),
    ticks,
    to: held.at(-1)?.k ?? 0,
  };
}
