import { describeDevice, type Instant, type MemberId, type SessionId } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { DeviceKey } from "../../platform/device-key.ts";
import type { SecurityWatch } from "../../platform/security-events.ts";
import { tellMember } from "../notices/index.ts";
import { describePlace } from "./device.ts";
import { announceEnded } from "./end-sessions.ts";
import { bindSession, endSessionRows, extendSession, hashToken, readSession } from "./session-rows.ts";

/** Who makes a call. */
export interface Session {
  readonly sessionId: SessionId;
  readonly memberId: MemberId;
  readonly expiresAt: Instant;
}

/** Where a token turns up. */
export interface TokenSeen {
  readonly ip: string;
  /** The User-Agent header. */
  readonly device: string;
  /** null for a client that sends none. */
  readonly deviceKey: DeviceKey | null;
}

export interface Authenticator {
  /**
   * The token's live session; null when there is none, or it has ended or expired. A session that belongs to a device ends
   * when its token turns up anywhere else, and its member is told.
   */
  authenticate(token: string, seen?: TokenSeen): Promise<Session | null>;
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

/** Its device's key by hash, or the one that its login gave away and nobody has brought back yet. */
interface BoundSession extends Session {
  readonly device: { readonly hash: Buffer; readonly isKept: boolean } | null;
}

interface Cached {
  readonly session: BoundSession;
  readonly readAt: number;
}

const NOWHERE: TokenSeen = { ip: "", device: "", deviceKey: null };

/**
 * Finds sessions by token, from memory where it can. An ended session is forgotten the moment the bus says so, and a
 * query that was under way at that moment cannot bring it back.
 */
export function createAuthenticator({
  databases,
  clock,
  bus,
  security,
}: Pick<Context, "databases" | "clock" | "bus"> & {
  /** Where a moved session is noted. */
  readonly security?: Pick<SecurityWatch, "note">;
}): Authenticator {
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

  const read = async (key: string, hash: Buffer): Promise<BoundSession | null> => {
    const now = clock.now();
    const row = await readSession(databases.sessions, hash, now);
    if (row === null || ended.has(row.session_id)) return null;
    let expiresAt = row.expires_at;
    if (now - row.seen_at >= EXTEND_EVERY_MS) {
      const extended = await extendSession(databases.sessions, row.session_id, now);
      if (extended === null || ended.has(row.session_id)) return null;
      expiresAt = extended;
    }
    const device = row.device_hash ?? row.offered_hash;
    const session: BoundSession = {
      sessionId: row.session_id,
      memberId: row.member_id,
      expiresAt: expiresAt as Instant,
      device: device && { hash: device, isKept: row.device_hash !== null },
    };
    keep(key, session);
    return session;
  };

  const keep = (key: string, session: BoundSession) => {
    if (cached.size >= CACHED_MAX) {
      const oldest = cached.values().next().value;
      if (oldest !== undefined) forget(oldest.session.sessionId);
    }
    cached.delete(key);
    cached.set(key, { session, readAt: clock.elapsedMs() });
    keyOf.set(session.sessionId, key);
  };

  /** Ends a session whose token was seen elsewhere: whoever copied it is out, and so is its owner, who logs in again. */
  const endMoved = async ({ sessionId, memberId }: BoundSession, { ip, device }: TokenSeen): Promise<void> => {
    const ended = await databases.sessions.transaction(async (db) => {
      const rows = await endSessionRows(db, { memberId, only: sessionId, now: clock.now() });
      // Many calls of one page may come from there at once: it is told of once.
      if (rows.length > 0)
        await tellMember(db, memberId, "sessionMoved", {
          device: describeDevice(device) || "?",
          place: describePlace(ip),
        });
      return rows;
    });
    if (ended.length > 0) security?.note("session_moved", {});
    announceEnded({ bus }, ended);
    forget(sessionId);
  };

  /** Whether the session may be used from there. */
  const judgePlace = async (key: string, session: BoundSession, seen: TokenSeen): Promise<boolean> => {
    const { device } = session;
    if (device === null) return true;
    const isThere = seen.deviceKey?.hash.equals(device.hash) ?? false;
    if (isThere && !device.isKept) {
      await bindSession(databases.sessions, session.sessionId);
      if (!ended.has(session.sessionId)) keep(key, { ...session, device: { ...device, isKept: true } });
    }
    if (isThere || !device.isKept) return true;
    await endMoved(session, seen);
    return false;
  };

  return {
    async authenticate(token, seen = NOWHERE) {
      if (!TOKEN.test(token)) return null;
      const hash = hashToken(token);
      const key = hash.toString("base64");
      const hit = cached.get(key);
      if (hit !== undefined && clock.elapsedMs() - hit.readAt < BELIEVED_MS) {
        if (hit.session.expiresAt <= clock.now()) return null;
        return (await judgePlace(key, hit.session, seen)) ? hit.session : null;
      }
      const session = await read(key, hash);
      if (session === null && hit !== undefined) forget(hit.session.sessionId);
      return session !== null && (await judgePlace(key, session, seen)) ? session : null;
    },
    close: unsubscribe,
  };
}
