/** Calls under way, so that none is left without an answer for longer than the app waits. */
export interface Deadlines {
  /** Runs `onLate` if the returned function was not called in time. */
  watch(onLate: () => void): () => void;
  stop(): void;
}

/**
 * One timer for all calls instead of one for each: they all have the same time, so that the oldest is the first
 * that can be late. `elapsedMs` never goes back.
 */
export function createDeadlines(timeoutMs: number, elapsedMs: () => number): Deadlines {
  const running = new Set<{ readonly since: number; readonly onLate: () => void }>();
  const timer = setInterval(
    () => {
      const late = elapsedMs() - timeoutMs;
      for (const call of running) {
        if (call.since > late) break;
        running.delete(call);
        call.onLate();
      }
    },
    Math.min(1_000, timeoutMs / 2),
  ).unref();
  return {
    watch(onLate) {
      const call = { since: elapsedMs(), onLate };
      running.add(call);
      return () => void running.delete(call);
    },
    stop: () => clearInterval(timer),
  };
}

/** What Node's server is told so that headers that don't arrive within `timeoutMs` end their socket, soon after. */
export function headerDeadline(timeoutMs: number): {
  readonly headersTimeout: number;
  readonly connectionsCheckingInterval: number;
} {
  return { headersTimeout: timeoutMs, connectionsCheckingInterval: Math.min(5_000, timeoutMs) };
}
