/** Asks members for their second factor, and judges their answers. */
import { accept, type Instant, type MemberId, type Refusal, refuse, type Verdict } from "@fairtick/domain";
import { passkeyAnswer, type PasskeyAnswer, type PasskeyQuestion } from "@fairtick/protocol";
import { safeParse } from "valibot";
import { CAREFUL, guess } from "../../platform/attempts.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { passkeyParty } from "../../platform/second-factor/passkey-party.ts";
import { newPasskeyChallenge, passkeyQuestionFor, verifyPasskeyAnswer } from "../../platform/second-factor/passkeys.ts";
import { openTotpSecret } from "../../platform/second-factor/totp-secret.ts";
import { matchTotp } from "../../platform/second-factor/totp.ts";
import { ASKED_MS, type FactorPurpose, keepQuestion, takeQuestion } from "./challenges.ts";
import { type Factors, hasFactor, hashRecoveryCode, readFactors } from "./factor-rows.ts";

export type FactorContext = Pick<Context, "databases" | "config" | "log">;

/** A factor that was found right. `spendSecondFactor` uses it up, in the transaction of what it allows. */
export type FactorUse =
  | { readonly kind: "none" }
  | { readonly kind: "totp"; readonly step: bigint }
  | { readonly kind: "recovery"; readonly hash: Buffer }
  | { readonly kind: "passkey"; readonly passkeyId: bigint; readonly counter: bigint; readonly synced: boolean };

/** What a second factor is needed for. */
export interface FactorAsk {
  readonly purpose: FactorPurpose;
  /**
   * The session of a member who is logged in. Tries are then counted per session, so that they don't affect other
   * sessions.
   */
  readonly sessionId?: bigint;
  readonly now: Instant;
}

/**
 * Judges what a member gave as a second factor: six digits of the authenticator app, a recovery code, or a passkey's
 * answer as JSON. Accepts at once if the member has no factor. Must be called without a transaction, after everything
 * else was judged; `spendSecondFactor` follows in the transaction. Refuses SECOND_FACTOR_REQUIRED if nothing was given
 * and SECOND_FACTOR_WRONG, both with `means` (such as "totp,passkey,recovery") and, if a passkey can answer, `question`
 * (WebAuthn's options as JSON, valid for five minutes); and TOO_MANY_TRIES[retryAt].
 */
export async function judgeSecondFactor(
  context: FactorContext,
  memberId: MemberId,
  given: string | undefined,
  ask: FactorAsk,
): Promise<Verdict<FactorUse>> {
  const pool = context.databases.sessions;
  const factors = await readFactors(pool, memberId);
  if (!hasFactor(factors)) return accept({ kind: "none" });
  const params = () => askParams(context, memberId, factors, ask);
  if (given === undefined) return refuse("SECOND_FACTOR_REQUIRED", await params());
  const { purpose, sessionId, now } = ask;
  const subject = sessionId === undefined ? `${purpose}:member:${memberId}` : `session:${sessionId}`;
  const verdict = await guess<FactorUse>(pool, { kind: "factor", subject, waits: CAREFUL, now }, async () => {
    const use = await findUse(context, memberId, factors, given, ask);
    return use === null ? refuse("SECOND_FACTOR_WRONG") : accept(use);
  });
  if (verdict.ok || verdict.refusal.error !== "SECOND_FACTOR_WRONG") return verdict;
  return wrongFactor(await params());
}

/** Refuses a wrong factor. The answer is the same for every kind of factor. */
export function wrongFactor(params?: Refusal["params"]): Verdict<never> {
  return refuse("SECOND_FACTOR_WRONG", params, { secondFactor: "SECOND_FACTOR_WRONG" });
}

/**
 * Uses up a judged factor in the transaction that it allows; any role with `spend_…` may do so. Returns false if
 * another request was first, so that only one of two requests with the same code continues. Refuse the second one with
 * `wrongFactor`.
 */
export async function spendSecondFactor(
  db: Queryable,
  memberId: MemberId,
  use: FactorUse,
  now: Instant,
): Promise<boolean> {
  switch (use.kind) {
    case "none":
      return true;
    case "totp":
      return isSpent(await db.query(`SELECT spend_totp_step($1, $2, $3) AS spent`, [memberId, use.step, now]));
    case "recovery":
      return isSpent(await db.query(`SELECT spend_recovery_code($1, $2) AS spent`, [memberId, use.hash]));
    case "passkey":
      return isSpent(
        await db.query(`SELECT spend_passkey($1, $2, $3, $4, $5) AS spent`, [
          memberId,
          use.passkeyId,
          use.counter,
          use.synced,
          now,
        ]),
      );
  }
}

function isSpent(rows: readonly unknown[]): boolean {
  const [row] = rows as readonly { spent: boolean }[];
  return row?.spent === true;
}

/** Returns whether a member has a second factor. Any role with `has_second_factor` may ask. */
export async function hasSecondFactor(db: Queryable, memberId: MemberId): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>("SELECT has_second_factor($1) AS has", [memberId]);
  return row?.has ?? false;
}

/**
 * Makes a question to a member's passkeys and stores it until it is answered. Null if none of them can be used here.
 */
export async function askPasskeys(
  { databases, config }: FactorContext,
  memberId: MemberId,
  { passkeys }: Pick<Factors, "passkeys">,
  { purpose, now }: Pick<FactorAsk, "purpose" | "now">,
): Promise<PasskeyQuestion | null> {
  const party = passkeyParty(config.publicUrl);
  if (party === null || passkeys.length === 0) return null;
  const challenge = newPasskeyChallenge();
  await keepQuestion(databases.sessions, memberId, { purpose, challenge, now });
  return passkeyQuestionFor({ party, challenge, known: passkeys, timeoutMs: ASKED_MS });
}

async function askParams(
  context: FactorContext,
  memberId: MemberId,
  factors: Factors,
  ask: FactorAsk,
): Promise<Record<string, string>> {
  const question = await askPasskeys(context, memberId, factors, ask);
  const means = [
    factors.totp !== null && "totp",
    question !== null && "passkey",
    factors.recoveryCodesLeft > 0 && "recovery",
  ].filter((mean) => mean !== false);
  return { means: means.join(","), ...(question !== null && { question: JSON.stringify(question) }) };
}

async function findUse(
  context: FactorContext,
  memberId: MemberId,
  factors: Factors,
  given: string,
  ask: FactorAsk,
): Promise<FactorUse | null> {
  if (given.startsWith("{")) {
    const answer = parseAnswer(given);
    return answer === null ? null : judgeAnswer(context, memberId, factors, answer, ask);
  }
  const digits = given.replaceAll(/\s/g, "");
  if (/^[0-9]{6}$/.test(digits)) return judgeTotp(context, memberId, factors, digits, ask.now);
  const hash = hashRecoveryCode(given, context.config.secret, memberId);
  const found = await context.databases.sessions.query(
    "SELECT 1 FROM member_recovery_codes WHERE member_id = $1 AND code_hash = $2",
    [memberId, hash],
  );
  return found.length === 0 ? null : { kind: "recovery", hash };
}

function judgeTotp(
  { config }: FactorContext,
  memberId: MemberId,
  { totp }: Factors,
  digits: string,
  now: Instant,
): FactorUse | null {
  if (totp === null) return null;
  const secret = openTotpSecret(totp.sealed_secret, config.secret, { side: "member", id: memberId });
  const step = matchTotp(secret, digits, now, totp.used_step);
  return step === null ? null : { kind: "totp", step };
}

function parseAnswer(text: string): PasskeyAnswer | null {
  const parsed = safeParse(passkeyAnswer, parseJson(text));
  return parsed.success ? parsed.output : null;
}

/** Parses JSON. Undefined if the text isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

async function judgeAnswer(
  context: FactorContext,
  memberId: MemberId,
  { passkeys }: Factors,
  answer: PasskeyAnswer,
  { purpose, now }: FactorAsk,
): Promise<FactorUse | null> {
  const party = passkeyParty(context.config.publicUrl);
  const challenge = challengeIn(answer);
  if (party === null || challenge === null) return null;
  // The question is used up by this try, whatever the answer is.
  if (!(await takeQuestion(context.databases.sessions, memberId, { purpose, challenge, now }))) return null;
  const named = Buffer.from(answer.id, "base64url");
  const passkey = passkeys.find((row) => row.credential_id.equals(named));
  if (passkey === undefined) return null;
  const use = await verifyPasskeyAnswer(answer, passkey, {
    party,
    challenge,
    refused: (error) => {
      context.log.warn({ err: error, memberId }, "a passkey's answer was refused");
    },
  });
  return use === null ? null : { kind: "passkey", passkeyId: passkey.passkey_id, ...use };
}

/** Reads which challenge an answer claims to be about. The signature over it is verified afterwards. */
function challengeIn({ response }: PasskeyAnswer): Buffer | null {
  const said = parseJson(Buffer.from(response.clientDataJSON, "base64url").toString("utf8"));
  if (typeof said !== "object" || said === null || !("challenge" in said)) return null;
  return typeof said.challenge === "string" ? Buffer.from(said.challenge, "base64url") : null;
}
