/** The server's clock, learnt from its messages; a countdown never reads the phone's own. */
export interface ServerClock {
  /** Takes a time (ms since 1970) that the server has just said. */
  learn(serverMs: number): void;
  /** Milliseconds since 1970 by the server's clock; by this machine's until the server has said one. */
  now(): number;
}

/** A message that claims to be this much older than the clock says is not slow: the clock was wrong. */
const CORRECTION_MS = 2_000;

/**
 * Between two messages the clock runs on the monotonic time of `elapsedMs`. Each message was under way for a
 * while, so that of two the one that makes it later is nearer the truth.
 */
export function createServerClock(elapsedMs: () => number = () => performance.now()): ServerClock {
  let offset: number | null = null;
  return {
    learn(serverMs) {
      const said = serverMs - elapsedMs();
      if (offset === null || said > offset || said < offset - CORRECTION_MS) offset = said;
    },
    now: () => (offset === null ? Date.now() : Math.floor(offset + elapsedMs())),
  };
}
