/** Orders the quotes of a source that counts its updates instead of timing them. */
export interface UpdateCount {
  /** Returns the order of an update. `at` is in ms of elapsed time. */
  orderOf(update: bigint, at: number): bigint;
}

/** Updates that stay behind for this long count as a new sequence: the source restarted, or once sent a number too high. */
const BEHIND_HOLDS_MS = 10_000;
/** Larger than any update id. */
const NEW_COUNT = 1n << 64n;

export function createUpdateCount(): UpdateCount {
  let counted = 0n;
  let highest = -1n;
  let behindSince: number | null = null;
  return {
    orderOf(update, at) {
      if (update >= highest) {
        highest = update;
        behindSince = null;
      } else {
        behindSince ??= at;
        if (at - behindSince >= BEHIND_HOLDS_MS) {
          counted += NEW_COUNT;
          highest = update;
          behindSince = null;
        }
      }
      return counted + update;
    },
  };
}
