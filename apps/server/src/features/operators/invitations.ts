import { randomBytes } from "node:crypto";
import { accept, refuse, type Verdict } from "@fairtick/domain";
import type { OperatorRequest } from "../../platform/console/index.ts";
import { CAREFUL, guess, hashPassword, judgePassword } from "../sessions/index.ts";
import type { OperatorContext } from "./operator-context.ts";
import { formatOperatorId, hashOf } from "./operator-rows.ts";
import { newRecoveryCodes } from "../../platform/second-factor/recovery-codes.ts";
import { matchTotp, SECRET_BYTES, toBase32, totpUri } from "../../platform/second-factor/totp.ts";
import { openTotpSecret, sealTotpSecret } from "../../platform/second-factor/totp-secret.ts";

type Asked = Pick<OperatorRequest<never>, "db" | "now">;
/** Names the invited operator in the call's audit row, so that all rows about an invitation can be found. */
type Named = Pick<OperatorRequest<never>, "about">;

interface InvitedRow {
  readonly operator_id: bigint;
  readonly login: string;
  readonly name: string;
  readonly totp_secret: Buffer | null;
}

async function readInvited(
  { db, now }: Asked,
  token: string,
  lock: "FOR UPDATE" | "" = "FOR UPDATE",
): Promise<InvitedRow | undefined> {
  const [row] = await db.query<InvitedRow>(
    `SELECT operator_id, login, name, totp_secret FROM operators
     WHERE invite_hash = $1 AND invite_expires_at > $2 AND disabled_at IS NULL ${lock}`,
    [hashOf(token), now],
  );
  return row;
}

/** How many earlier openings are shown, newest first. */
const OPENINGS_SHOWN = 10;

interface Opened {
  readonly login: string;
  readonly name: string;
  readonly secret: string;
  readonly uri: string;
  /** When the link was opened before, newest first. */
  readonly openedBefore: number[];
}

/**
 * Opens an invitation and returns a new secret for the authenticator app. Earlier secrets stop working, since the admin
 * who approved has the link too and could have kept one. Refuses NOT_FOUND for an invitation that has expired, was used
 * or was declined.
 */
export async function openInvitation(
  context: Pick<OperatorContext, "config">,
  token: string,
  asked: Asked & Named,
): Promise<Verdict<Opened>> {
  const row = await readInvited(asked, token);
  if (row === undefined) return refuse("NOT_FOUND");
  const { operator_id: operatorId, login, name } = row;
  asked.about(formatOperatorId(operatorId));
  const secret = randomBytes(SECRET_BYTES);
  await asked.db.query("UPDATE operators SET totp_secret = $2 WHERE operator_id = $1", [
    operatorId,
    sealTotpSecret(secret, context.config.secret, { side: "operator", id: operatorId }),
  ]);
  const openedBefore = await readOpenings(asked.db, operatorId);
  return accept({ login, name, secret: toBase32(secret), uri: totpUri(secret, login), openedBefore });
}

/** Reads from the audit trail, which nobody can change, when an invitation was opened. This call's row isn't written yet. */
async function readOpenings(db: Asked["db"], operatorId: bigint): Promise<number[]> {
  const rows = await db.query<{ at: bigint }>(
    `SELECT at FROM audit_trail WHERE subject = $1 AND action = 'session/invitation' AND outcome = 'done'
     ORDER BY audit_no DESC LIMIT ${OPENINGS_SHOWN}`,
    [formatOperatorId(operatorId)],
  );
  return rows.map(({ at }) => Number(at));
}

/**
 * Ends an invitation that its newcomer doesn't trust, for whoever else has the link. Refuses NOT_FOUND as opening it
 * does.
 */
export async function declineInvitation(token: string, asked: Asked & Named): Promise<Verdict<null>> {
  const row = await readInvited(asked, token);
  if (row === undefined) return refuse("NOT_FOUND");
  asked.about(formatOperatorId(row.operator_id));
  await asked.db.query("UPDATE operators SET invite_hash = NULL, invite_expires_at = NULL WHERE operator_id = $1", [
    row.operator_id,
  ]);
  return accept(null);
}

interface Enrolment {
  readonly token: string;
  readonly password: string;
  readonly code: string;
}

interface JudgedEnrolment {
  /** The secret that the code was judged by, sealed. */
  readonly sealed: Buffer;
  readonly step: bigint;
  readonly passwordHash: string;
}

/**
 * Judges what an invited person chose. Refuses NOT_FOUND, BAD_CODE, TOO_MANY_TRIES[retryAt] and what `judgePassword`
 * refuses.
 */
export async function judgeEnrolment(
  context: OperatorContext,
  given: Enrolment,
  { now, about }: Pick<Asked, "now"> & Named,
): Promise<Verdict<JudgedEnrolment>> {
  const pool = context.databases.console;
  const row = await readInvited({ db: pool, now }, given.token, "");
  if (row === undefined || row.totp_secret === null) return refuse("NOT_FOUND");
  about(formatOperatorId(row.operator_id));
  const sealed = row.totp_secret;
  const judged = await judgePassword(given.password, row.login);
  if (!judged.ok) return judged;
  const secret = openTotpSecret(sealed, context.config.secret, { side: "operator", id: row.operator_id });
  const attempt = { kind: "code", subject: `operator-invitation:${row.operator_id}`, waits: CAREFUL, now } as const;
  const verdict = await guess<bigint>(pool, attempt, async () => {
    const step = matchTotp(secret, given.code, now, 0n);
    return step === null ? refuse("BAD_CODE") : accept(step);
  });
  if (!verdict.ok) return verdict;
  return accept({ sealed, step: verdict.value, passwordHash: await hashPassword(given.password, "operator") });
}

/**
 * Accepts an invitation. Refuses NOT_FOUND for one that has expired, was used or was declined, and BAD_CODE if it was
 * opened again while the code was being judged: whoever opened it knows the secret that is valid now. The recovery codes
 * are shown only this once and stored as hashes.
 */
export async function enrolOperator(
  { token }: Pick<Enrolment, "token">,
  { sealed, step, passwordHash }: JudgedEnrolment,
  asked: Asked,
): Promise<Verdict<{ login: string; recoveryCodes: string[] }>> {
  const row = await readInvited(asked, token);
  if (row === undefined || row.totp_secret === null) return refuse("NOT_FOUND");
  if (!row.totp_secret.equals(sealed)) return refuse("BAD_CODE");
  await asked.db.query(
    "UPDATE operators SET password_hash = $2, totp_step = $3, invite_hash = NULL, invite_expires_at = NULL WHERE operator_id = $1",
    [row.operator_id, passwordHash, step],
  );
  const recoveryCodes = newRecoveryCodes();
  await asked.db.query("INSERT INTO operator_recovery_codes (operator_id, code_hash) SELECT $1, unnest($2::bytea[])", [
    row.operator_id,
    recoveryCodes.map(hashOf),
  ]);
  return accept({ login: row.login, recoveryCodes });
}
