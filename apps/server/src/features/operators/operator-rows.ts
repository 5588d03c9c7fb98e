import { createHash, randomBytes } from "node:crypto";
import { formatPrefixedId, type Instant, parsePrefixedId } from "@fairtick/domain";
import type { OperatorPerson, OperatorRole, OperatorSelf } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";

const IDLE_MS = 1_800_000n;
const LONGEST_MS = 43_200_000n;
/** How long the second factor may take after the password. */
export const PENDING_MS = 300_000n;
const SEEN_EVERY_MS = 30_000n;

export const formatOperatorId = (id: bigint): string => formatPrefixedId("opr", id);
export const parseOperatorId = (text: string): bigint | null => parsePrefixedId("opr", text);

export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

export function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

interface SessionRow {
  session_id: bigint;
  operator_id: bigint;
  login: string;
  name: string;
  roles: OperatorRole[];
  created_at: bigint;
  seen_at: bigint;
  expires_at: bigint;
  verified_at: bigint | null;
}

/**
 * Reads the live session of a token: half an hour idle, twelve hours in all. A disabled operator has none from that
 * moment on.
 */
export async function authenticateOperator(
  db: Queryable,
  token: string,
  now: Instant,
): Promise<OperatorSession | null> {
  const [row] = await db.query<SessionRow>(
    `SELECT s.session_id, s.operator_id, o.login, o.name, s.created_at, s.seen_at, s.expires_at, s.verified_at,
       ARRAY(SELECT role FROM operator_roles r WHERE r.operator_id = o.operator_id ORDER BY role) AS roles
     FROM operator_sessions s JOIN operators o USING (operator_id)
     WHERE s.token_hash = $1 AND s.ended_at IS NULL AND s.expires_at > $2 AND o.disabled_at IS NULL`,
    [hashOf(token), now],
  );
  if (row === undefined) return null;
  const verified = row.verified_at !== null;
  let expiresAt = row.expires_at;
  if (verified && now - row.seen_at >= SEEN_EVERY_MS) {
    const longest = row.created_at + LONGEST_MS;
    expiresAt = now + IDLE_MS < longest ? now + IDLE_MS : longest;
    await db.query("UPDATE operator_sessions SET seen_at = $2, expires_at = $3 WHERE session_id = $1", [
      row.session_id,
      now,
      expiresAt,
    ]);
  }
  return {
    sessionId: row.session_id,
    operatorId: row.operator_id,
    login: row.login,
    name: row.name,
    roles: row.roles,
    verified,
    expiresAt: expiresAt as Instant,
  };
}

/** Returns whether a token's session is live, verified and has one of these roles. Doesn't extend the session. */
export async function mayOpenSession(
  db: Queryable,
  token: string,
  roles: readonly OperatorRole[],
  now: Instant,
): Promise<boolean> {
  const found = await db.query(
    `SELECT 1 FROM operator_sessions s JOIN operators o USING (operator_id) JOIN operator_roles r USING (operator_id)
     WHERE s.token_hash = $1 AND s.ended_at IS NULL AND s.expires_at > $2 AND s.verified_at IS NOT NULL
       AND o.disabled_at IS NULL AND r.role = ANY($3::text[]) LIMIT 1`,
    [hashOf(token), now, roles],
  );
  return found.length > 0;
}

export interface NewSession {
  readonly sessionId: bigint;
  readonly operatorId: bigint;
  readonly token: string;
  readonly ip: string;
  readonly device: string;
  readonly now: Instant;
}

/** Stores a session that still lacks its second factor. */
export async function insertPendingSession(db: Queryable, session: NewSession): Promise<void> {
  await db.query(
    `INSERT INTO operator_sessions (session_id, operator_id, token_hash, ip, device, created_at, seen_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6, $7)`,
    [
      session.sessionId,
      session.operatorId,
      hashOf(session.token),
      session.ip,
      session.device,
      session.now,
      session.now + PENDING_MS,
    ],
  );
}

/**
 * Gives a session with both factors a new token, so that a token planted in the browser before the login is useless.
 */
export async function verifySession(db: Queryable, sessionId: bigint, token: string, now: Instant): Promise<Instant> {
  await db.query(
    "UPDATE operator_sessions SET token_hash = $2, verified_at = $3, seen_at = $3, expires_at = $4 WHERE session_id = $1",
    [sessionId, hashOf(token), now, now + IDLE_MS],
  );
  return (now + IDLE_MS) as Instant;
}

export async function endOperatorSessions(
  db: Queryable,
  which: { readonly operatorId: bigint; readonly only?: bigint },
  now: Instant,
): Promise<void> {
  await db.query(
    "UPDATE operator_sessions SET ended_at = $3 WHERE operator_id = $1 AND ($2::bigint IS NULL OR session_id = $2) AND ended_at IS NULL",
    [which.operatorId, which.only ?? null, now],
  );
}

/** Reads `login` and `name` of the person with this id from the columns with this prefix; null if the row has none. */
export function personOf(row: Readonly<Record<string, unknown>>, prefix: string): OperatorPerson | null {
  const id = row[`${prefix}_id`];
  if (typeof id !== "bigint") return null;
  return {
    operatorId: formatOperatorId(id),
    login: String(row[`${prefix}_login`]),
    name: String(row[`${prefix}_name`]),
  };
}

export function presentSelf(
  session: OperatorSession,
  deployment: "sandbox" | "live",
  expiresAt: Instant = session.expiresAt,
): OperatorSelf {
  return {
    operator: { operatorId: formatOperatorId(session.operatorId), login: session.login, name: session.name },
    roles: [...session.roles],
    expiresAt: Number(expiresAt),
    deployment,
  };
}
