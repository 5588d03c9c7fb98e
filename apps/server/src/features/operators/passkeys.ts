/** Manages an operator's passkeys for the console. `platform/second-factor` verifies what authenticators answer. */
import { accept, type Instant, refuse, type Verdict } from "@fairtick/domain";
import type { OwnPasskey, PasskeyAnswer, PasskeyMade, PasskeyQuestion, PasskeyWish } from "@fairtick/protocol/operator";
import type { OperatorRequest, OperatorSession } from "../../platform/console/index.ts";
import { type PasskeyParty, passkeyParty } from "../../platform/second-factor/passkey-party.ts";
import {
  newPasskeyChallenge,
  passkeyQuestionFor,
  passkeyWishFor,
  verifyNewPasskey,
  verifyPasskeyAnswer,
} from "../../platform/second-factor/passkeys.ts";
import { ASKED_MS, keepChallenge, takeChallenge } from "./challenges.ts";
import type { OperatorContext } from "./operator-context.ts";
import {
  formatPasskeyId,
  insertPasskey,
  markPasskeyUsed,
  parsePasskeyId,
  type PasskeyRow,
  presentPasskey,
  readPasskeys,
} from "./passkey-rows.ts";

type Asked = Pick<OperatorRequest<never>, "db" | "now" | "about">;

const PASSKEYS_MAX = 10;

/**
 * Makes a challenge for a new passkey, once the password was judged. Refuses NOT_NOW if browsers don't support passkeys
 * at this console's address, and CONFLICT for an eleventh one.
 */
export async function startPasskey(
  context: OperatorContext,
  session: OperatorSession,
  asked: Asked,
): Promise<Verdict<PasskeyWish>> {
  const party = passkeyParty(context.consoleUrl());
  if (party === null) return refuse("NOT_NOW");
  const known = await readPasskeys(asked.db, session.operatorId);
  if (known.length >= PASSKEYS_MAX) return refuse("CONFLICT");
  const challenge = newPasskeyChallenge();
  await keepChallenge(asked.db, session.sessionId, "register", challenge, asked.now);
  return accept(
    passkeyWishFor(
      { party, challenge, known, timeoutMs: ASKED_MS },
      { place: "Fairtick back office", id: session.operatorId, name: session.login, displayName: session.name },
    ),
  );
}

/** Judges the passkey that was made for the last challenge. Asking spends the challenge. Refuses BAD_CODE. */
export async function judgeNewPasskey(
  context: OperatorContext,
  session: OperatorSession,
  made: { readonly name: string; readonly passkey: PasskeyMade },
  now: Instant,
): Promise<Verdict<PasskeyRow>> {
  const party = passkeyParty(context.consoleUrl());
  const challenge = await takeChallenge(context.databases.console, session.sessionId, "register", now);
  if (party === null || challenge === null) return refuse("BAD_CODE");
  const verified = await verifyNewPasskey(made.passkey, {
    party,
    challenge,
    refused: (error) => {
      context.log.warn({ err: error, operatorId: session.operatorId }, "a new passkey was not what was asked for");
    },
  });
  if (verified === null) return refuse("BAD_CODE");
  return accept({
    passkey_id: context.ids.next(),
    credential_id: verified.credentialId,
    public_key: verified.publicKey,
    name: made.name.trim(),
    counter: verified.counter,
    transports: verified.transports,
    synced: verified.synced,
    made_at: now,
    used_at: null,
  });
}

/** Stores a passkey. Refuses CONFLICT if it is known. */
export async function registerPasskey(
  session: OperatorSession,
  row: PasskeyRow,
  asked: Asked,
): Promise<Verdict<OwnPasskey>> {
  asked.about(formatPasskeyId(row.passkey_id));
  await insertPasskey(asked.db, session.operatorId, row);
  return accept(presentPasskey(row));
}

/** Makes a challenge for one of their passkeys. Refuses NOT_FOUND if they have none, or none can be used here. */
export async function askPasskey(
  context: OperatorContext,
  session: OperatorSession,
  { db, now }: Asked,
): Promise<Verdict<PasskeyQuestion>> {
  const party = passkeyParty(context.consoleUrl());
  const known = await readPasskeys(db, session.operatorId);
  if (party === null || known.length === 0) return refuse("NOT_FOUND");
  const challenge = newPasskeyChallenge();
  await keepChallenge(db, session.sessionId, "login", challenge, now);
  return accept(passkeyQuestionFor({ party, challenge, known, timeoutMs: ASKED_MS }));
}

/** A passkey's answer that was right, to be recorded. */
export interface PasskeyUse {
  readonly passkeyId: bigint;
  readonly counter: bigint;
  readonly synced: boolean;
}

/** An answer to one of our challenges by one of the operator's passkeys. */
export interface AnswerablePasskey {
  readonly party: PasskeyParty;
  readonly challenge: Buffer;
  readonly passkey: PasskeyRow;
}

/** Finds the passkey that an answer is about, and spends the session's challenge. Null if the challenge isn't ours. */
export async function takeAnswerable(
  context: OperatorContext,
  session: OperatorSession,
  answer: PasskeyAnswer,
  { now, about }: Pick<Asked, "now" | "about">,
): Promise<AnswerablePasskey | null> {
  const pool = context.databases.console;
  const party = passkeyParty(context.consoleUrl());
  const challenge = await takeChallenge(pool, session.sessionId, "login", now);
  const named = Buffer.from(answer.id, "base64url");
  const passkey = (await readPasskeys(pool, session.operatorId)).find((row) => row.credential_id.equals(named));
  if (party === null || challenge === null || passkey === undefined) return null;
  about(formatPasskeyId(passkey.passkey_id));
  return { party, challenge, passkey };
}

/** Judges what a passkey signed. Null for a wrong signature, origin or counter. */
export async function judgePasskey(
  context: OperatorContext,
  session: OperatorSession,
  answer: PasskeyAnswer,
  { party, challenge, passkey }: AnswerablePasskey,
): Promise<PasskeyUse | null> {
  const use = await verifyPasskeyAnswer(answer, passkey, {
    party,
    challenge,
    refused: (error) => {
      context.log.warn({ err: error, operatorId: session.operatorId }, "a passkey's answer was refused");
    },
  });
  return use === null ? null : { passkeyId: passkey.passkey_id, ...use };
}

/** Records a use. Returns false if another one came first. */
export function spendPasskey(
  { passkeyId, counter, synced }: PasskeyUse,
  { db, now }: Pick<Asked, "db" | "now">,
): Promise<boolean> {
  return markPasskeyUsed(db, passkeyId, { counter, synced, now });
}

/**
 * Removes a passkey, once the password was judged. Refuses NOT_FOUND for one that isn't theirs, and CONFLICT for the
 * last second factor, which the database also refuses (`keep_second_factor`).
 */
export async function removePasskey(session: OperatorSession, passkeyId: string, asked: Asked): Promise<Verdict<null>> {
  const removed = await asked.db.query(
    "UPDATE operator_passkeys SET removed_at = $3 WHERE passkey_id = $1 AND operator_id = $2 AND removed_at IS NULL RETURNING 1",
    [parsePasskeyId(passkeyId), session.operatorId, asked.now],
  );
  return removed.length === 1 ? accept(null) : refuse("NOT_FOUND");
}
