import { createHash, randomBytes } from "node:crypto";
import type { Instant, MemberId, SessionId } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import type { DeviceKey } from "../../platform/device-key.ts";

/** A session ends this long after its last call, and after `SESSION_LIFE_MS` in any case. */
export const SESSION_IDLE_MS = 7n * 86_400_000n;
export const SESSION_LIFE_MS = 90n * 86_400_000n;

/** The browser that makes a call, identified by its device key. */
export interface OnDevice {
  /** Null, or left out, if it sent none. */
  readonly deviceKey?: DeviceKey | null;
  /** Makes the browser keep a key. */
  readonly keepDeviceKey?: (key: string) => void;
  /** Called if the account doesn't know the device yet. */
  readonly noteNewDevice?: () => void;
}

/** Where someone logs in from, and on what. */
export interface Visitor extends OnDevice {
  readonly ip: string;
  /** The User-Agent header as sent. */
  readonly userAgent: string;
  readonly now: Instant;
}

/** Creates a token of 256 random bits. Only its hash is stored, so that the table can't be used to log in. */
export function createToken(): string {
  return randomBytes(32).toString("base64url");
}

export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

export interface NewSession {
  readonly sessionId: SessionId;
  readonly memberId: MemberId;
  readonly token: string;
  readonly device: string;
  readonly place: string;
  /** Key of the device that logs in. `isKept` says whether the device has shown that it keeps the key. */
  readonly onDevice: { readonly hash: Buffer; readonly isKept: boolean } | null;
  readonly now: Instant;
}

export async function insertSession(db: Queryable, session: NewSession): Promise<void> {
  await db.query(
    `INSERT INTO sessions (session_id, member_id, token_hash, device, place, created_at, seen_at, expires_at, device_hash, offered_hash)
     VALUES ($1, $2, $3, $4, $5, to_timestamp($6::numeric / 1000), to_timestamp($6::numeric / 1000), to_timestamp($7::numeric / 1000), $8, $9)`,
    [
      session.sessionId,
      session.memberId,
      hashToken(session.token),
      session.device,
      session.place,
      session.now,
      session.now + SESSION_IDLE_MS,
      session.onDevice?.isKept === true ? session.onDevice.hash : null,
      session.onDevice?.isKept === false ? session.onDevice.hash : null,
    ],
  );
}

export interface SessionRow {
  session_id: SessionId;
  member_id: MemberId;
  expires_at: bigint;
  seen_at: bigint;
  created_at: bigint;
}

const MS = (column: string) => `floor(extract(epoch FROM ${column}) * 1000)::bigint AS ${column}`;

/** A session with the device that it belongs to. */
export interface BoundSessionRow extends SessionRow {
  device_hash: Buffer | null;
  offered_hash: Buffer | null;
}

/** Binds a session to the key that its login gave the browser. */
export async function bindSession(db: Queryable, sessionId: SessionId): Promise<void> {
  await db.query("UPDATE sessions SET device_hash = offered_hash WHERE session_id = $1 AND device_hash IS NULL", [
    sessionId,
  ]);
}

/** Reads the live session for a token's hash. */
export async function readSession(db: Queryable, tokenHash: Buffer, now: Instant): Promise<BoundSessionRow | null> {
  const rows = await db.query<BoundSessionRow>(
    `SELECT session_id, member_id, device_hash, offered_hash, ${MS("expires_at")}, ${MS("seen_at")}, ${MS("created_at")} FROM sessions
     WHERE token_hash = $1 AND ended_at IS NULL AND expires_at > to_timestamp($2::numeric / 1000)`,
    [tokenHash, now],
  );
  return rows[0] ?? null;
}

/** Extends a session that is in use: never beyond its whole life, and never one that has ended. */
export async function extendSession(db: Queryable, sessionId: SessionId, now: Instant): Promise<bigint | null> {
  const rows = await db.query<{ expires_at: bigint }>(
    `UPDATE sessions SET seen_at = to_timestamp($2::numeric / 1000),
       expires_at = least(to_timestamp(($2::numeric + $3) / 1000), created_at + $4::numeric / 1000 * interval '1 second')
     WHERE session_id = $1 AND ended_at IS NULL RETURNING ${MS("expires_at")}`,
    [sessionId, now, SESSION_IDLE_MS, SESSION_LIFE_MS],
  );
  return rows[0]?.expires_at ?? null;
}

export interface SessionDeviceRow extends SessionRow {
  device: string;
  place: string;
}

export async function readSessionsOf(db: Queryable, memberId: MemberId, now: Instant): Promise<SessionDeviceRow[]> {
  const rows = await db.query<SessionDeviceRow>(
    `SELECT session_id, member_id, device, place, ${MS("expires_at")}, ${MS("seen_at")}, ${MS("created_at")} FROM sessions
     WHERE member_id = $1 AND ended_at IS NULL AND expires_at > to_timestamp($2::numeric / 1000)
     ORDER BY seen_at DESC, session_id DESC LIMIT 100`,
    [memberId, now],
  );
  return rows;
}

/**
 * Returns whether an account has a running session that began in this network (`describePlace`). The account may not
 * exist.
 */
export async function hasSessionFrom(db: Queryable, account: string, place: string, now: Instant): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 FROM members m JOIN sessions s USING (member_id) WHERE (m.phone = $1 OR m.email = $1)
       AND s.ended_at IS NULL AND s.expires_at > to_timestamp($3::numeric / 1000) AND s.place = $2 LIMIT 1`,
    [account, place, now],
  );
  return rows.length > 0;
}

/** The most sessions a member can have at once. */
export const SESSIONS_MAX = 10;

/** Ends the least recently used sessions beyond ten. Returns them, so that the member can be told. */
export async function endOldestSessions(db: Queryable, memberId: MemberId, now: Instant): Promise<SessionDeviceRow[]> {
  return db.query<SessionDeviceRow>(
    `UPDATE sessions SET ended_at = to_timestamp($2::numeric / 1000) WHERE session_id IN
       (SELECT session_id FROM sessions WHERE member_id = $1 AND ended_at IS NULL AND expires_at > to_timestamp($2::numeric / 1000)
        ORDER BY seen_at DESC, session_id DESC OFFSET $3)
     RETURNING session_id, member_id, device, place, ${MS("expires_at")}, ${MS("seen_at")}, ${MS("created_at")}`,
    [memberId, now, SESSIONS_MAX],
  );
}

/** Ends one session of a member, or all but `except`. Returns those that were still running. */
export async function endSessionRows(
  db: Queryable,
  which: { readonly memberId: MemberId; readonly only?: bigint; readonly except?: bigint; readonly now: Instant },
): Promise<SessionId[]> {
  const rows = await db.query<{ session_id: SessionId }>(
    `UPDATE sessions SET ended_at = to_timestamp($4::numeric / 1000)
     WHERE member_id = $1 AND ended_at IS NULL AND ($2::bigint IS NULL OR session_id = $2) AND ($3::bigint IS NULL OR session_id <> $3)
     RETURNING session_id`,
    [which.memberId, which.only ?? null, which.except ?? null, which.now],
  );
  return rows.map((row) => row.session_id);
}
