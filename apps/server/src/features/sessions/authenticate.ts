import type { Instant, MemberId, SessionId } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import { extendSession, hashToken, readSession } from "./session-rows.ts";

/** Who makes a call. */
export interface Session {
  readonly sessionId: SessionId;
  readonly memberId: MemberId;
  readonly expiresAt: Instant;
}

export interface Authenticator {
  /** The token's live session; null when there is none, or it has ended or expired. */
  authenticate(token: string): Promise<Session | null>;
  /** Lets go of the bus. */
  close(): void;
}

/** A token is 43 characters of base64url; anything else is not worth a query. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** How long a session is believed without asking the tables: the bound where an event of another machine is lost. */
const BELIEVED_MS = 5_000;
const CACHED_MAX = 50_000;
/** A session in use is written down at most this often. */
const EXTEND_EVERY_MS = 300_000n;
/** Longer than any query that could still carry an ended session. */
const ENDED_KEPT_MS = 60_000;

interface Cached {
  readonly session: Session;
  readonly readAt: number;
}

/**
 * Finds sessions by token, from memory where it can. An ended session is forgotten the moment the bus says so, and a
 * query that was under way at that moment cannot bring it back.
 */
export function createAuthenticator({
  databases,
  clock,
  bus,
}: Pick<Context, "databases" | "clock" | "bus">): Authenticator {
  const cached = new Map<string, Cached>();
  const keyOf = new Map<SessionId, string>();
  const ended = new Map<SessionId, number>();

  const forget = (sessionId: SessionId) => {
    const key = keyOf.get(sessionId);
    keyOf.delete(sessionId);
    if (key !== undefined) cached.delete(key);
  };
  const unsubscribe = bus.subscribe("sessionsEnded", ({ sessionIds }) => {
    const elapsed = clock.elapsedMs();
    for (const sessionId of sessionIds) {
      forget(sessionId as SessionId);
      ended.set(sessionId as SessionId, elapsed);
    }
    for (const [sessionId, at] of ended) if (elapsed - at > ENDED_KEPT_MS) ended.delete(sessionId);
  });

  const read = async (key: string, hash: Buffer): Promise<Session | null> => {
    const now = clock.now();
    const row = await readSession(databases.sessions, hash, now);
    if (row === null || ended.has(row.session_id)) return null;
    let expiresAt = row.expires_at;
    if (now - row.seen_at >= EXTEND_EVERY_MS) {
      const extended = await extendSession(databases.sessions, row.session_id, now);
      if (extended === null || ended.has(row.session_id)) return null;
      expiresAt = extended;
    }
    const session = { sessionId: row.session_id, memberId: row.member_id, expiresAt: expiresAt as Instant };
    if (cached.size >= CACHED_MAX) {
      const oldest = cached.values().next().value;
      if (oldest !== undefined) forget(oldest.session.sessionId);
    }
    cached.delete(key);
    cached.set(key, { session, readAt: clock.elapsedMs() });
    keyOf.set(session.sessionId, key);
    return session;
  };

  return {
    async authenticate(token) {
      if (!TOKEN.test(token)) return null;
      const hash = hashToken(token);
      const key = hash.toString("base64");
      const hit = cached.get(key);
      if (hit !== undefined && clock.elapsedMs() - hit.readAt < BELIEVED_MS) {
        return hit.session.expiresAt > clock.now() ? hit.session : null;
      }
      const session = await read(key, hash);
      if (session === null && hit !== undefined) forget(hit.session.sessionId);
      return session;
    },
    close: unsubscribe,
  };
}
