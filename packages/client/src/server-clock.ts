/** The server's clock, learnt from its messages. Countdowns use it instead of the phone's own clock. */
export interface ServerClock {
  /** Adjusts the clock to a time (ms since 1970) that the server has just sent. */
  learn(serverMs: number): void;
  /** Returns the time in milliseconds since 1970: the server's, or this machine's until the server has sent one. */
  now(): number;
}

/** Longest time that a message can be under way. A message that seems older shows that the clock was wrong. */
const CORRECTION_MS = 2_000;

/**
 * Creates a clock that runs on the monotonic time of `elapsedMs` between messages. Messages take time to arrive, so of
 * two messages the one that implies the later time is closer to the truth.
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
