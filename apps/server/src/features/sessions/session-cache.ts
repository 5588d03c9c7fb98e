import type { Clock, SessionId } from "@fairtick/domain";
import type { Session } from "./authenticate.ts";

const CACHED_MAX = 50_000;
/** How long an ended session is remembered, in ms. Longer than any query that could still bring it back. */
const ENDED_KEPT_MS = 60_000;

/**
 * A session with the hash of its device's key. Until the device has sent the key back, the session isn't bound to it.
 */
export interface BoundSession extends Session {
  readonly device: { readonly hash: Buffer; readonly isKept: boolean } | null;
}

interface Cached {
  readonly session: BoundSession;
  /** Monotonic milliseconds. */
  readonly readAt: number;
}

/** Keeps sessions in memory by the hash of their token, and remembers for a minute which ones have ended. */
export class SessionCache {
  readonly #clock: Pick<Clock, "elapsedMs">;
  readonly #cached = new Map<string, Cached>();
  readonly #keyOf = new Map<SessionId, string>();
  readonly #ended = new Map<SessionId, number>();

  constructor(clock: Pick<Clock, "elapsedMs">) {
    this.#clock = clock;
  }

  find(key: string): Cached | undefined {
    return this.#cached.get(key);
  }

  keep(key: string, session: BoundSession): void {
    if (this.#cached.size >= CACHED_MAX) {
      const oldest = this.#cached.values().next().value;
      if (oldest !== undefined) this.forget(oldest.session.sessionId);
    }
    this.#cached.delete(key);
    this.#cached.set(key, { session, readAt: this.#clock.elapsedMs() });
    this.#keyOf.set(session.sessionId, key);
  }

  forget(sessionId: SessionId): void {
    const key = this.#keyOf.get(sessionId);
    this.#keyOf.delete(sessionId);
    if (key !== undefined) this.#cached.delete(key);
  }

  end(sessionIds: readonly SessionId[]): void {
    const elapsed = this.#clock.elapsedMs();
    for (const sessionId of sessionIds) {
      this.forget(sessionId);
      this.#ended.set(sessionId, elapsed);
    }
    for (const [sessionId, at] of this.#ended) if (elapsed - at > ENDED_KEPT_MS) this.#ended.delete(sessionId);
  }

  hasEnded(sessionId: SessionId): boolean {
    return this.#ended.has(sessionId);
  }
}
