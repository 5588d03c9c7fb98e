/** How long all client ids are looked up after a resend was seen. */
const LIKELY_MS = 1_000;

/** Knows whether orders are currently being resent, for example after a broken connection. */
export interface ResendWatch {
  /** Notes that an existing order was sent again. */
  seen(): void;
  areLikely(): boolean;
}

/**
 * Creates the watch. A batch that contains a known client id is repeated. Someone who keeps sending old ids can cause
 * that at most once a second. In between, they only cost the lookups.
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
