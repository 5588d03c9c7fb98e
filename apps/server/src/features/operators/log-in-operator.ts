import { accept, type Instant, refuse, type Verdict } from "@fairtick/domain";
import type { OperatorSelf, PasskeyAnswer } from "@fairtick/protocol/operator";
import type { JudgedRequest, OperatorRequest, OperatorSession } from "../../platform/console/index.ts";
import { passkeyParty } from "../../platform/second-factor/passkey-party.ts";
import type { Queryable } from "../../platform/database.ts";
import { CAREFUL, guessAtDoor, OPERATORS_DOOR, passwordMatches } from "../sessions/index.ts";
import type { OperatorContext } from "./operator-context.ts";
import { isOperatorsDevice, rememberOperatorsDevice } from "./operator-devices.ts";
import { hashOf, insertPendingSession, newToken, presentSelf, verifySession } from "./operator-rows.ts";
import { operatorAccount } from "./own-password.ts";
import { judgePasskey, type PasskeyUse, spendPasskey, takeAnswerable } from "./passkeys.ts";
import { matchTotp } from "../../platform/second-factor/totp.ts";
import { openTotpSecret } from "../../platform/second-factor/totp-secret.ts";

type Asked = Pick<
  OperatorRequest<never>,
  "db" | "ip" | "device" | "deviceKey" | "now" | "about" | "setToken" | "keepDeviceKey" | "noteNewDevice"
>;
type Judging = Pick<JudgedRequest<never>, "ip" | "deviceKey" | "now" | "about">;

interface PasswordPassed {
  next: "secondFactor";
  means: ("totp" | "passkey")[];
  passkeyOrigin: string | null;
}

/**
 * Judges the first factor. Refuses BAD_CREDENTIALS (the same, after the same time, for unknown, disabled and not yet
 * enrolled operators), TOO_MANY_TRIES[retryAt] and RATE_LIMITED[retryAt].
 */
export async function judgePasswordOf(
  context: OperatorContext,
  { login, password }: { readonly login: string; readonly password: string },
  { ip, deviceKey, now }: Judging,
): Promise<Verdict<Entering>> {
  const pool = context.databases.console;
  const known = (await isOperatorsDevice(pool, login, deviceKey)) ? deviceKey : null;
  const attempt = { kind: "login", account: operatorAccount(login), known, ip, now } as const;
  return guessAtDoor(OPERATORS_DOOR, pool, attempt, async () => {
    const [operator] = await pool.query<Entering>(
      `SELECT operator_id, password_hash, totp_secret IS NOT NULL AS has_totp,
         EXISTS (SELECT FROM operator_passkeys k WHERE k.operator_id = o.operator_id AND removed_at IS NULL) AS has_passkey
       FROM operators o WHERE login = $1 AND disabled_at IS NULL`,
      [login],
    );
    const matches = await passwordMatches(operator?.password_hash ?? null, password, "operator");
    return operator === undefined || !matches ? refuse("BAD_CREDENTIALS") : accept(operator);
  });
}

/** Begins a session after the first factor. */
export async function logInOperator(
  context: OperatorContext,
  operator: Entering,
  asked: Asked,
): Promise<Verdict<PasswordPassed>> {
  const { db, ip, now } = asked;
  // No row if the operator was disabled or got another password since it was judged.
  const unchanged = await db.query(
    "SELECT 1 FROM operators WHERE operator_id = $1 AND password_hash = $2 AND disabled_at IS NULL",
    [operator.operator_id, operator.password_hash],
  );
  if (unchanged.length === 0) return refuse("BAD_CREDENTIALS");
  const token = newToken();
  await insertPendingSession(db, {
    sessionId: context.ids.next(),
    operatorId: operator.operator_id,
    token,
    ip,
    device: asked.device,
    now,
  });
  asked.setToken(token);
  const party = passkeyParty(context.consoleUrl());
  const means: PasswordPassed["means"] = [];
  if (operator.has_totp) means.push("totp");
  if (operator.has_passkey && party !== null) means.push("passkey");
  return accept({ next: "secondFactor", means, passkeyOrigin: party?.origin ?? null });
}

interface Entering {
  readonly operator_id: bigint;
  readonly password_hash: string | null;
  readonly has_totp: boolean;
  readonly has_passkey: boolean;
}

/** The result of judging a second factor. The factor is used up later, in the call's transaction. */
type SecondFactor =
  | { readonly kind: "totp"; readonly step: bigint }
  | { readonly kind: "recovery"; readonly hash: Buffer }
  | { readonly kind: "passkey"; readonly use: PasskeyUse };

interface GivenFactor {
  readonly code?: string | undefined;
  readonly passkey?: PasskeyAnswer | undefined;
}

/**
 * Judges an unused code, a recovery code, or a passkey's answer. Refuses BAD_CODE, TOO_MANY_TRIES[retryAt] and
 * RATE_LIMITED[retryAt]. An answer to a challenge that we never sent costs no try.
 */
export async function judgeSecondFactor(
  context: OperatorContext,
  session: OperatorSession,
  given: GivenFactor,
  asked: Judging,
): Promise<Verdict<SecondFactor>> {
  const match = await factorMatcher(context, session, given, asked);
  if (match === null) return refuse("BAD_CODE");
  const { ip, deviceKey, now } = asked;
  const pool = context.databases.console;
  const known = (await isOperatorsDevice(pool, session.login, deviceKey)) ? deviceKey : null;
  const account = operatorAccount(String(session.operatorId));
  return guessAtDoor(OPERATORS_DOOR, pool, { kind: "code", account, known, ip, now, waits: CAREFUL }, async () => {
    const factor = await match();
    return factor === null ? refuse("BAD_CODE") : accept(factor);
  });
}

/** Returns how to judge the given factor; null if the operator has nothing to compare it with. */
async function factorMatcher(
  context: OperatorContext,
  session: OperatorSession,
  { code, passkey }: GivenFactor,
  asked: Judging,
): Promise<(() => Promise<SecondFactor | null>) | null> {
  const { operatorId } = session;
  if (passkey !== undefined) {
    const answerable = await takeAnswerable(context, session, passkey, asked);
    if (answerable === null) return null;
    return async () => {
      const use = await judgePasskey(context, session, passkey, answerable);
      return use === null ? null : { kind: "passkey", use };
    };
  }
  if (code === undefined) return null;
  return () =>
    code.includes("-")
      ? findRecoveryCode(context.databases.console, operatorId, code)
      : findTotpStep(context, operatorId, code, asked.now);
}

/**
 * Opens the session after both factors, and remembers the device. Refuses BAD_CODE if another call spent the code
 * first.
 */
export async function verifySecondFactor(
  context: OperatorContext,
  session: OperatorSession,
  factor: SecondFactor,
  asked: Asked,
): Promise<Verdict<OperatorSelf>> {
  const { db, now, deviceKey } = asked;
  const { operatorId } = session;
  if (!(await spend(asked, operatorId, factor))) return refuse("BAD_CODE");
  const token = newToken();
  const expiresAt = await verifySession(db, session.sessionId, token, now);
  asked.setToken(token);
  const { made, isNew } = await rememberOperatorsDevice(db, context.config.secret, { operatorId, deviceKey, now });
  if (isNew) asked.noteNewDevice();
  if (made !== null) asked.keepDeviceKey(made);
  return accept(presentSelf(session, context.config.deployment, expiresAt));
}

async function findTotpStep(
  context: OperatorContext,
  operatorId: bigint,
  code: string,
  now: Instant,
): Promise<SecondFactor | null> {
  const [row] = await context.databases.console.query<{ totp_secret: Buffer; totp_step: bigint }>(
    "SELECT totp_secret, totp_step FROM operators WHERE operator_id = $1 AND totp_secret IS NOT NULL",
    [operatorId],
  );
  if (row === undefined) return null;
  const step = matchTotp(
    openTotpSecret(row.totp_secret, context.config.secret, { side: "operator", id: operatorId }),
    code,
    now,
    row.totp_step,
  );
  return step === null ? null : { kind: "totp", step };
}

async function findRecoveryCode(pool: Queryable, operatorId: bigint, code: string): Promise<SecondFactor | null> {
  const hash = hashOf(code);
  const found = await pool.query(
    "SELECT 1 FROM operator_recovery_codes WHERE operator_id = $1 AND code_hash = $2 AND used_at IS NULL",
    [operatorId, hash],
  );
  return found.length === 0 ? null : { kind: "recovery", hash };
}

/** Uses up the factor. Returns false if another login used it first, which the row decides. */
async function spend(asked: Asked, operatorId: bigint, factor: SecondFactor): Promise<boolean> {
  const { db, now } = asked;
  if (factor.kind === "passkey") return spendPasskey(factor.use, asked);
  const spent =
    factor.kind === "totp"
      ? await db.query("UPDATE operators SET totp_step = $2 WHERE operator_id = $1 AND totp_step < $2 RETURNING 1", [
          operatorId,
          factor.step,
        ])
      : await db.query(
          "UPDATE operator_recovery_codes SET used_at = $3 WHERE operator_id = $1 AND code_hash = $2 AND used_at IS NULL RETURNING 1",
          [operatorId, factor.hash, now],
        );
  return spent.length === 1;
}
