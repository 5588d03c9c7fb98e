import { randomBytes } from "node:crypto";
import { accept, formatPrefixedId, parsePrefixedId, refuse, type Verdict } from "@fairtick/domain";
import type { OperatorAccount, OwnSession } from "@fairtick/protocol/operator";
import type { OperatorRequest, OperatorSession } from "../../platform/console/index.ts";
import { passkeyParty } from "../../platform/second-factor/passkey-party.ts";
import type { Queryable } from "../../platform/database.ts";
import { CAREFUL, guess } from "../sessions/index.ts";
import { keepChallenge, readChallenge, takeChallenge } from "./challenges.ts";
import type { OperatorContext } from "./operator-context.ts";
import { presentPasskey, readPasskeys } from "./passkey-rows.ts";
import { matchTotp, SECRET_BYTES, toBase32, totpUri } from "../../platform/second-factor/totp.ts";
import { openTotpSecret, sealTotpSecret } from "../../platform/second-factor/totp-secret.ts";

type Asked = Pick<OperatorRequest<never>, "db" | "now">;

const SESSION_PREFIX = "ops";

/** Reads the operator's own second factors and live sessions. */
export async function readOwnAccount(
  context: OperatorContext,
  session: OperatorSession,
  { db, now }: Pick<Asked, "db" | "now">,
): Promise<OperatorAccount> {
  const [factors] = await db.query<{ totp: boolean; left: bigint }>(
    `SELECT totp_secret IS NOT NULL AS totp,
       (SELECT count(*) FROM operator_recovery_codes c WHERE c.operator_id = o.operator_id AND used_at IS NULL) AS left
     FROM operators o WHERE operator_id = $1`,
    [session.operatorId],
  );
  const passkeys = await readPasskeys(db, session.operatorId);
  return {
    passkeys: passkeys.map(presentPasskey),
    totp: factors?.totp ?? false,
    recoveryCodesLeft: Number(factors?.left ?? 0n),
    passkeyOrigin: passkeyParty(context.consoleUrl())?.origin ?? null,
    sessions: await readOwnSessions(db, session, now),
  };
}

async function readOwnSessions(db: Queryable, session: OperatorSession, now: bigint): Promise<OwnSession[]> {
  const rows = await db.query<{ session_id: bigint; ip: string; device: string; created_at: bigint; seen_at: bigint }>(
    `SELECT session_id, ip, device, created_at, seen_at FROM operator_sessions
     WHERE operator_id = $1 AND ended_at IS NULL AND verified_at IS NOT NULL AND expires_at > $2 ORDER BY session_id DESC`,
    [session.operatorId, now],
  );
  return rows.map((row) => ({
    sessionId: formatPrefixedId(SESSION_PREFIX, row.session_id),
    ip: row.ip,
    device: row.device,
    createdAt: Number(row.created_at),
    seenAt: Number(row.seen_at),
    current: row.session_id === session.sessionId,
  }));
}

/**
 * Ends another one of the operator's own sessions, or all others. Refuses NOT_FOUND for one that isn't theirs, and for
 * the current one.
 */
export async function endOtherSession(
  session: OperatorSession,
  sessionId: string | undefined,
  { db, now }: Pick<Asked, "db" | "now">,
): Promise<Verdict<null>> {
  const only = sessionId === undefined ? null : parsePrefixedId(SESSION_PREFIX, sessionId);
  if (sessionId !== undefined && only === null) return refuse("NOT_FOUND");
  const ended = await db.query(
    `UPDATE operator_sessions SET ended_at = $4
     WHERE operator_id = $1 AND session_id <> $2 AND ($3::bigint IS NULL OR session_id = $3) AND ended_at IS NULL RETURNING 1`,
    [session.operatorId, session.sessionId, only, now],
  );
  return only !== null && ended.length === 0 ? refuse("NOT_FOUND") : accept(null);
}

/** Makes a secret for another authenticator app, once the password was judged. */
export async function startTotp(
  context: OperatorContext,
  session: OperatorSession,
  asked: Asked,
): Promise<Verdict<{ secret: string; uri: string }>> {
  const secret = randomBytes(SECRET_BYTES);
  const sealed = sealTotpSecret(secret, context.config.secret, { side: "operator", id: session.operatorId });
  await keepChallenge(asked.db, session.sessionId, "totp", sealed, asked.now);
  return accept({ secret: toBase32(secret), uri: totpUri(secret, session.login) });
}

interface JudgedTotp {
  readonly sealed: Buffer;
  readonly step: bigint;
}

/** Judges the new app's first code. Refuses BAD_CODE, TOO_MANY_TRIES[retryAt], and NOT_FOUND if none was begun. */
export async function judgeTotp(
  context: OperatorContext,
  session: OperatorSession,
  code: string,
  now: Asked["now"],
): Promise<Verdict<JudgedTotp>> {
  const pool = context.databases.console;
  const sealed = await readChallenge(pool, session.sessionId, "totp", now);
  if (sealed === null) return refuse("NOT_FOUND");
  const secret = openTotpSecret(sealed, context.config.secret, { side: "operator", id: session.operatorId });
  const attempt = { kind: "code", subject: `operator-session:${session.sessionId}`, waits: CAREFUL, now } as const;
  return guess<JudgedTotp>(pool, attempt, async () => {
    const step = matchTotp(secret, code, now, 0n);
    return step === null ? refuse("BAD_CODE") : accept({ sealed, step });
  });
}

/** Switches to the new app. Refuses NOT_FOUND if another call was first. */
export async function registerTotp(
  session: OperatorSession,
  { sealed, step }: JudgedTotp,
  { db, now }: Asked,
): Promise<Verdict<null>> {
  const taken = await takeChallenge(db, session.sessionId, "totp", now);
  if (taken === null || !taken.equals(sealed)) return refuse("NOT_FOUND");
  await db.query("UPDATE operators SET totp_secret = $2, totp_step = $3 WHERE operator_id = $1", [
    session.operatorId,
    sealed,
    step,
  ]);
  return accept(null);
}

/** Removes the authenticator app, once the password was judged. Refuses as `removePasskey`. */
export async function removeTotp(session: OperatorSession, { db }: Pick<Asked, "db">): Promise<Verdict<null>> {
  const removed = await db.query(
    "UPDATE operators SET totp_secret = NULL WHERE operator_id = $1 AND totp_secret IS NOT NULL RETURNING 1",
    [session.operatorId],
  );
  return removed.length === 1 ? accept(null) : refuse("NOT_FOUND");
}
