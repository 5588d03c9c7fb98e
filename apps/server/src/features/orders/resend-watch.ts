/** How long all client ids are looked up after one came a second time. */
const LIKELY_MS = 1_000;

/** Whether orders are being sent again, as after a cut connection. */
export interface ResendWatch {
  /** An order was sent again that was placed before. */
  seen(): void;
  areLikely(): boolean;
}

/**
 * A batch that meets a known client id unprepared is done twice. Whoever sends old ids over and over makes that happen
 * once a second at most; between, they cost what looking each id up costs.
 */
export function createResendWatch(elapsedMs: () => number): ResendWatch {
  let likelyUntil = 0;
  return {
    seen() {
      likelyUntil = elapsedMs() + LIKELY_MS;
    },
    areLikely: () => elapsedMs() < likelyUntil,
  };
}
