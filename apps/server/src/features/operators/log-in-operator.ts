import { randomBytes } from "node:crypto";
import { accept, refuse, type Verdict } from "@fairtick/domain";
import type { OperatorSelf, PasskeyAnswer } from "@fairtick/protocol/operator";
import { type OperatorRequest, type OperatorSession, passkeyParty } from "../../platform/console/index.ts";
import { guess, hashPassword, judgePassword, passwordMatches, TRIES_PER_DAY } from "../sessions/index.ts";
import type { OperatorContext } from "./operator-context.ts";
import { hashOf, insertPendingSession, newToken, presentSelf, verifySession } from "./operator-rows.ts";
import { passwordLimits } from "./own-password.ts";
import { spendPasskey } from "./passkeys.ts";
import { matchTotp, SECRET_BYTES, toBase32, totpUri } from "./totp.ts";
import { openTotpSecret, sealTotpSecret } from "./totp-secret.ts";

type Asked = Pick<OperatorRequest<never>, "db" | "ip" | "device" | "now" | "about" | "setToken">;

interface PasswordPassed {
  next: "secondFactor";
  means: ("totp" | "passkey")[];
  passkeyOrigin: string | null;
}

/**
 * The first factor. Refuses BAD_CREDENTIALS, alike and in the same time for unknown, disabled and not yet enrolled
 * operators, and TOO_MANY_TRIES[retryAt].
 */
export async function logInOperator(
  context: OperatorContext,
  { login, password }: { readonly login: string; readonly password: string },
  asked: Asked,
): Promise<Verdict<PasswordPassed>> {
  const { db, ip, now } = asked;
  const limits = passwordLimits(login, ip);
  const verdict = await guess(context.databases.console, { kind: "login", limits, now }, async () => {
    const [operator] = await db.query<Entering>(
      `SELECT operator_id, password_hash, totp_secret IS NOT NULL AS has_totp,
         EXISTS (SELECT FROM operator_passkeys k WHERE k.operator_id = o.operator_id AND removed_at IS NULL) AS has_passkey
       FROM operators o WHERE login = $1 AND disabled_at IS NULL`,
      [login],
    );
    const matches = await passwordMatches(operator?.password_hash ?? null, password);
    return operator === undefined || !matches ? refuse("BAD_CREDENTIALS") : accept(operator);
  });
  if (!verdict.ok) return verdict;
  const token = newToken();
  await insertPendingSession(db, {
    sessionId: context.ids.next(),
    operatorId: verdict.value.operator_id,
    token,
    ip,
    device: asked.device,
    now,
  });
  asked.setToken(token);
  const party = passkeyParty(context.consoleUrl());
  const means: PasswordPassed["means"] = [];
  if (verdict.value.has_totp) means.push("totp");
  if (verdict.value.has_passkey && party !== null) means.push("passkey");
  return accept({ next: "secondFactor", means, passkeyOrigin: party?.origin ?? null });
}

interface Entering {
  readonly operator_id: bigint;
  readonly password_hash: string | null;
  readonly has_totp: boolean;
  readonly has_passkey: boolean;
}

/** A code not used before, a recovery code, or what a passkey signed. Refuses BAD_CODE and TOO_MANY_TRIES[retryAt]. */
export async function verifySecondFactor(
  context: OperatorContext,
  session: OperatorSession,
  given: { readonly code?: string | undefined; readonly passkey?: PasskeyAnswer | undefined },
  asked: Asked,
): Promise<Verdict<OperatorSelf>> {
  const { db, now } = asked;
  const limits = [{ subject: `operator:${session.operatorId}`, max: TRIES_PER_DAY }];
  const verdict = await guess(context.databases.console, { kind: "code", limits, now }, async () =>
    (await isSecondFactor(context, session, given, asked)) ? accept(null) : refuse("BAD_CODE"),
  );
  if (!verdict.ok) return verdict;
  const token = newToken();
  const expiresAt = await verifySession(db, session.sessionId, token, now);
  asked.setToken(token);
  return accept(presentSelf(session, context.config.deployment, expiresAt));
}

async function isSecondFactor(
  context: OperatorContext,
  session: OperatorSession,
  { code, passkey }: Parameters<typeof verifySecondFactor>[2],
  asked: Asked,
): Promise<boolean> {
  if (passkey !== undefined) return spendPasskey(context, session, passkey, asked);
  if (code === undefined) return false;
  return code.includes("-")
    ? spendRecoveryCode(asked, session.operatorId, code)
    : spendTotp(context, asked, session.operatorId, code);
}

async function spendTotp(
  context: OperatorContext,
  { db, now }: Asked,
  operatorId: bigint,
  code: string,
): Promise<boolean> {
  const [row] = await db.query<{ totp_secret: Buffer; totp_step: bigint }>(
    "SELECT totp_secret, totp_step FROM operators WHERE operator_id = $1 AND totp_secret IS NOT NULL",
    [operatorId],
  );
  if (row === undefined) return false;
  const secret = openTotpSecret(row.totp_secret, context.config.secret, operatorId);
  const step = matchTotp(secret, code, now, row.totp_step);
  if (step === null) return false;
  // Two logins with one code at the same moment: the row says who was first.
  const spent = await db.query(
    "UPDATE operators SET totp_step = $2 WHERE operator_id = $1 AND totp_step < $2 RETURNING 1",
    [operatorId, step],
  );
  return spent.length === 1;
}

async function spendRecoveryCode({ db, now }: Asked, operatorId: bigint, code: string): Promise<boolean> {
  const spent = await db.query(
    "UPDATE operator_recovery_codes SET used_at = $3 WHERE operator_id = $1 AND code_hash = $2 AND used_at IS NULL RETURNING 1",
    [operatorId, hashOf(code), now],
  );
  return spent.length === 1;
}

interface InvitedRow {
  readonly operator_id: bigint;
  readonly login: string;
  readonly name: string;
  readonly totp_secret: Buffer | null;
}

async function readInvited({ db, now }: Asked, token: string): Promise<InvitedRow | undefined> {
  const [row] = await db.query<InvitedRow>(
    `SELECT operator_id, login, name, totp_secret FROM operators
     WHERE invite_hash = $1 AND invite_expires_at > $2 AND disabled_at IS NULL FOR UPDATE`,
    [hashOf(token), now],
  );
  return row;
}

/** Opens an invitation, with a secret for the authenticator app. NOT_FOUND for one that is over. */
export async function openInvitation(
  context: OperatorContext,
  token: string,
  asked: Asked,
): Promise<Verdict<{ login: string; name: string; secret: string; uri: string }>> {
  const row = await readInvited(asked, token);
  if (row === undefined) return refuse("NOT_FOUND");
  const { secret: key } = context.config;
  const secret =
    row.totp_secret === null ? randomBytes(SECRET_BYTES) : openTotpSecret(row.totp_secret, key, row.operator_id);
  if (row.totp_secret === null) {
    await asked.db.query("UPDATE operators SET totp_secret = $2 WHERE operator_id = $1", [
      row.operator_id,
      sealTotpSecret(secret, key, row.operator_id),
    ]);
  }
  return accept({ login: row.login, name: row.name, secret: toBase32(secret), uri: totpUri(secret, row.login) });
}

const RECOVERY_CODES = 8;
const RECOVERY_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

function newRecoveryCode(): string {
  const letters = Array.from(randomBytes(10), (byte) => RECOVERY_ALPHABET.charAt(byte % RECOVERY_ALPHABET.length));
  return `${letters.slice(0, 5).join("")}-${letters.slice(5).join("")}`;
}

/**
 * Takes an invitation up. Refuses NOT_FOUND, BAD_CODE, and what `judgePassword` refuses. The recovery codes are shown
 * this once and kept as hashes.
 */
export async function enrolOperator(
  context: OperatorContext,
  given: { readonly token: string; readonly password: string; readonly code: string },
  asked: Asked,
): Promise<Verdict<{ login: string; recoveryCodes: string[] }>> {
  const row = await readInvited(asked, given.token);
  if (row === undefined || row.totp_secret === null) return refuse("NOT_FOUND");
  const judged = await judgePassword(given.password, row.login);
  if (!judged.ok) return judged;
  const secret = openTotpSecret(row.totp_secret, context.config.secret, row.operator_id);
  const limits = [{ subject: `operator:${row.operator_id}`, max: TRIES_PER_DAY }];
  const verdict = await guess<bigint>(context.databases.console, { kind: "code", limits, now: asked.now }, async () => {
    const step = matchTotp(secret, given.code, asked.now, 0n);
    return step === null ? refuse("BAD_CODE") : accept(step);
  });
  if (!verdict.ok) return verdict;
  await asked.db.query(
    "UPDATE operators SET password_hash = $2, totp_step = $3, invite_hash = NULL, invite_expires_at = NULL WHERE operator_id = $1",
    [row.operator_id, await hashPassword(given.password), verdict.value],
  );
  const recoveryCodes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await asked.db.query("INSERT INTO operator_recovery_codes (operator_id, code_hash) SELECT $1, unnest($2::bytea[])", [
    row.operator_id,
    recoveryCodes.map(hashOf),
  ]);
  return accept({ login: row.login, recoveryCodes });
}
