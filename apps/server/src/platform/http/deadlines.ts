/** Tracks calls in progress, so that each is answered before the app stops waiting. */
export interface Deadlines {
  /** Runs `onLate` unless the returned function is called in time. */
  watch(onLate: () => void): () => void;
  stop(): void;
}

/**
 * Creates deadlines with one timer for all calls. All have the same time limit, so the oldest call is always the first that can
 * be late. `elapsedMs` must never go back.
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

/** Returns options for Node's server by which sockets end soon after their headers haven't arrived within `timeoutMs`. */
export function headerDeadline(timeoutMs: number): {
  readonly headersTimeout: number;
  readonly connectionsCheckingInterval: number;
} {
  return { headersTimeout: timeoutMs, connectionsCheckingInterval: Math.min(5_000, timeoutMs) };
}
