import { describeDevice, type Instant, type MemberId, type SessionId } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { DeviceKey } from "../../platform/device-key.ts";
import type { SecurityWatch } from "../../platform/security-events.ts";
import { tellMember } from "../notices/index.ts";
import { describePlace } from "./device.ts";
import { announceEnded } from "./end-sessions.ts";
import { type BoundSession, SessionCache } from "./session-cache.ts";
import { bindSession, endSessionRows, extendSession, hashToken, readSession } from "./session-rows.ts";

/** The session that a call is made in. */
export interface Session {
  readonly sessionId: SessionId;
  readonly memberId: MemberId;
  readonly expiresAt: Instant;
}

/** Where a token was seen. */
export interface TokenSeen {
  readonly ip: string;
  /** The User-Agent header. */
  readonly device: string;
  /** Null for a client that sends none. */
  readonly deviceKey: DeviceKey | null;
}

export interface Authenticator {
  /**
   * Returns the token's live session; null if there is none, or it has ended or expired. A session that is bound to a
   * device ends when its token is seen anywhere else, and the member is told.
   */
  authenticate(token: string, seen?: TokenSeen): Promise<Session | null>;
  /** Unsubscribes from the bus. */
  close(): void;
}

/** A token is 43 characters of base64url. Anything else isn't worth a query. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/**
 * How long a session is trusted without asking the tables. It bounds the damage when another machine's event is lost.
 */
const BELIEVED_MS = 5_000;
/** A session in use is extended at most this often. */
const EXTEND_EVERY_MS = 300_000n;
const NOWHERE: TokenSeen = { ip: "", device: "", deviceKey: null };

type AuthContext = Pick<Context, "databases" | "clock" | "bus"> & {
  /** Where a moved session is noted. */
  readonly security?: Pick<SecurityWatch, "note"> | undefined;
};

/**
 * Finds sessions by token, from memory where possible. An ended session is forgotten as soon as the bus says so, and a
 * query that was under way at that moment can't bring it back.
 */
export function createAuthenticator({ databases, clock, bus, security }: AuthContext): Authenticator {
  const cache = new SessionCache(clock);
  const unsubscribe = bus.subscribe("sessionsEnded", ({ sessionIds }) => cache.end(sessionIds as SessionId[]));

  /** Returns whether the session may be used from this place. */
  const judgePlace = async (key: string, session: BoundSession, seen: TokenSeen): Promise<boolean> => {
    const { device } = session;
    if (device === null) return true;
    const isThere = seen.deviceKey?.hash.equals(device.hash) ?? false;
    if (isThere && !device.isKept) {
      await bindSession(databases.sessions, session.sessionId);
      if (!cache.hasEnded(session.sessionId)) cache.keep(key, { ...session, device: { ...device, isKept: true } });
    }
    if (isThere || !device.isKept) return true;
    await endMoved({ databases, clock, bus, security }, session, seen);
    cache.forget(session.sessionId);
    return false;
  };

  return {
    async authenticate(token, seen = NOWHERE) {
      if (!TOKEN.test(token)) return null;
      const hash = hashToken(token);
      const key = hash.toString("base64");
      const hit = cache.find(key);
      if (hit !== undefined && clock.elapsedMs() - hit.readAt < BELIEVED_MS) {
        if (hit.session.expiresAt <= clock.now()) return null;
        return (await judgePlace(key, hit.session, seen)) ? hit.session : null;
      }
      const session = await readBound({ databases, clock }, cache, key, hash);
      if (session === null && hit !== undefined) cache.forget(hit.session.sessionId);
      return session !== null && (await judgePlace(key, session, seen)) ? session : null;
    },
    close: unsubscribe,
  };
}

/** Reads a session from the tables, and extends one in use from time to time. */
async function readBound(
  { databases, clock }: Pick<Context, "databases" | "clock">,
  cache: SessionCache,
  key: string,
  hash: Buffer,
): Promise<BoundSession | null> {
  const now = clock.now();
  const row = await readSession(databases.sessions, hash, now);
  if (row === null || cache.hasEnded(row.session_id)) return null;
  let expiresAt = row.expires_at;
  if (now - row.seen_at >= EXTEND_EVERY_MS) {
    const extended = await extendSession(databases.sessions, row.session_id, now);
    if (extended === null || cache.hasEnded(row.session_id)) return null;
    expiresAt = extended;
  }
  const device = row.device_hash ?? row.offered_hash;
  const session: BoundSession = {
    sessionId: row.session_id,
    memberId: row.member_id,
    expiresAt: expiresAt as Instant,
    device: device && { hash: device, isKept: row.device_hash !== null },
  };
  // Keep it at once, so that an end announced meanwhile can't fall between the check above and this line.
  cache.keep(key, session);
  return session;
}

/**
 * Ends a session whose token was seen elsewhere. This locks out the thief and also the owner, who can log in again.
 */
async function endMoved(
  { databases, clock, bus, security }: AuthContext,
  { sessionId, memberId }: BoundSession,
  { ip, device }: TokenSeen,
): Promise<void> {
  const ended = await databases.sessions.transaction(async (db) => {
    const rows = await endSessionRows(db, { memberId, only: sessionId, now: clock.now() });
    // Many calls of one page may come from there at once. Only the first one writes a message.
    if (rows.length > 0)
      await tellMember(db, memberId, "sessionMoved", {
        device: describeDevice(device) || "?",
        place: describePlace(ip),
      });
    return rows;
  });
  if (ended.length > 0) security?.note("session_moved", {});
  announceEnded({ bus }, ended);
}
