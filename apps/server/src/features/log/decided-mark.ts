import type { OutboxReading } from "./log-store.ts";

/**
 * Tracks up to which id the outbox is complete, so that the log's writer needs to read only newer rows. Ids are drawn before
 * their rows are committed, so a row can still appear below rows that already have their place in the log. The mark moves past
 * an id only once every transaction that ran some seconds after the id was seen is over: an id without a row by then was
 * rolled back.
 */
export interface DecidedMark {
  through(): bigint;
  /** Takes note of a reading. `newest` is its highest id, null if it was empty. */
  look(newest: bigint | null, reading: Pick<OutboxReading, "at" | "xmin" | "xmax">): void;
}

/** Far longer than a transaction needs between drawing its id and becoming visible as a writing transaction. */
const SETTLE_MS = 5_000n;

export function createDecidedMark(start: bigint): DecidedMark {
  let through = start;
  let highest = start;
  /** The next mark and when it was seen. After SETTLE_MS, `xmax` is set: transactions below it have to end first. */
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
