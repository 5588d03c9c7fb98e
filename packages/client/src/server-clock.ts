/** The server's clock, learnt from its messages. A countdown uses it and never the phone's own clock. */
export interface ServerClock {
  /** Takes a time (ms since 1970) that the server has just said. */
  learn(serverMs: number): void;
  /** Milliseconds since 1970 by the server's clock; by this machine's until the server has said one. */
  now(): number;
}

/** No message is under way for this long. One that seems so much older shows that our clock was wrong. */
const CORRECTION_MS = 2_000;

/**
 * Makes a clock that runs on the monotonic time of `elapsedMs` between two messages. A message takes a while to arrive, so
 * of two messages the one that says the later time is nearer the truth.
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
