import type { OutboxReading } from "./log-store.ts";

/**
 * How far the outbox's ids are decided. An id is drawn before its row is committed, so a row may appear below one that is
 * placed already; it is read all the same as long as the mark is below it. The mark moves past an id only when every
 * transaction that was running some seconds after that id was seen is over: what has no row by then was rolled back.
 */
export interface DecidedMark {
  through(): bigint;
  /** `newest`: the highest id of the reading; null where it was empty. */
  look(newest: bigint | null, reading: Pick<OutboxReading, "at" | "xmin" | "xmax">): void;
}

/** Far longer than a transaction takes from drawing its id to being known as a writing one. */
const SETTLE_MS = 5_000n;

export function createDecidedMark(start: bigint): DecidedMark {
  let through = start;
  let highest = start;
  /** Seen then; once SETTLE_MS are over, `xmax` is what must be over before it is decided. */
  let waiting: { readonly id: bigint; readonly at: bigint; xmax: bigint | null } | null = null;
  return {
    through: () => through,
    look(newest, { at, xmin, xmax }) {
      if (newest !== null && newest > highest) highest = newest;
      if (waiting !== null) {
        if (waiting.xmax === null && at - waiting.at >= SETTLE_MS) waiting.xmax = xmax;
        else if (waiting.xmax !== null && xmin >= waiting.xmax) {
          through = waiting.id;
          waiting = null;
        }
      }
      if (waiting === null && highest > through) waiting = { id: highest, at, xmax: null };
    },
  };
}
