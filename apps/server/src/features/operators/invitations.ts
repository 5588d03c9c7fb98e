import { randomBytes } from "node:crypto";
import { accept, refuse, type Verdict } from "@fairtick/domain";
import type { OperatorRequest } from "../../platform/console/index.ts";
import { CAREFUL, guess, hashPassword, judgePassword } from "../sessions/index.ts";
import type { OperatorContext } from "./operator-context.ts";
import { hashOf } from "./operator-rows.ts";
import { newRecoveryCodes } from "../../platform/second-factor/recovery-codes.ts";
import { matchTotp, SECRET_BYTES, toBase32, totpUri } from "../../platform/second-factor/totp.ts";
import { openTotpSecret, sealTotpSecret } from "../../platform/second-factor/totp-secret.ts";

type Asked = Pick<OperatorRequest<never>, "db" | "now">;

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

/**
 * Opens an invitation and returns a secret for the authenticator app. Refuses NOT_FOUND for one that has expired or was
 * used.
 */
export async function openInvitation(
  context: OperatorContext,
  token: string,
  asked: Asked,
): Promise<Verdict<{ login: string; name: string; secret: string; uri: string }>> {
  const row = await readInvited(asked, token);
  if (row === undefined) return refuse("NOT_FOUND");
  const { secret: key } = context.config;
  const secret =
    row.totp_secret === null
      ? randomBytes(SECRET_BYTES)
      : openTotpSecret(row.totp_secret, key, { side: "operator", id: row.operator_id });
  if (row.totp_secret === null) {
    await asked.db.query("UPDATE operators SET totp_secret = $2 WHERE operator_id = $1", [
      row.operator_id,
      sealTotpSecret(secret, key, { side: "operator", id: row.operator_id }),
    ]);
  }
  return accept({ login: row.login, name: row.name, secret: toBase32(secret), uri: totpUri(secret, row.login) });
}

interface Enrolment {
  readonly token: string;
  readonly password: string;
  readonly code: string;
}

interface JudgedEnrolment {
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
  { now }: Pick<Asked, "now">,
): Promise<Verdict<JudgedEnrolment>> {
  const pool = context.databases.console;
  const row = await readInvited({ db: pool, now }, given.token, "");
  if (row === undefined || row.totp_secret === null) return refuse("NOT_FOUND");
  const judged = await judgePassword(given.password, row.login);
  if (!judged.ok) return judged;
  const secret = openTotpSecret(row.totp_secret, context.config.secret, { side: "operator", id: row.operator_id });
  const attempt = { kind: "code", subject: `operator-invitation:${row.operator_id}`, waits: CAREFUL, now } as const;
  const verdict = await guess<bigint>(pool, attempt, async () => {
    const step = matchTotp(secret, given.code, now, 0n);
    return step === null ? refuse("BAD_CODE") : accept(step);
  });
  if (!verdict.ok) return verdict;
  return accept({ step: verdict.value, passwordHash: await hashPassword(given.password, "operator") });
}

/**
 * Accepts an invitation. Refuses NOT_FOUND for one that has expired or was used. The recovery codes are shown only this
 * once and stored as hashes.
 */
export async function enrolOperator(
  { token }: Pick<Enrolment, "token">,
  { step, passwordHash }: JudgedEnrolment,
  asked: Asked,
): Promise<Verdict<{ login: string; recoveryCodes: string[] }>> {
  const row = await readInvited(asked, token);
  if (row === undefined || row.totp_secret === null) return refuse("NOT_FOUND");
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
