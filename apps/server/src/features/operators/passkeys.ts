/**
 * Passkeys: an authenticator signs a challenge of ours for one name of the console's (`passkeyParty`), after it has made
 * sure of its owner by itself (a fingerprint, a PIN). What it says is verified by @simplewebauthn/server, which is loaded
 * by the first who needs it: with all kinds of attestation it would take a tenth of every start.
 */
import { randomBytes } from "node:crypto";
import { accept, refuse, type Verdict } from "@fairtick/domain";
import type { OwnPasskey, PasskeyAnswer, PasskeyMade, PasskeyQuestion, PasskeyWish } from "@fairtick/protocol/operator";
import type { VerifyAuthenticationResponseOpts, VerifyRegistrationResponseOpts } from "@simplewebauthn/server";
import { type OperatorRequest, type OperatorSession, passkeyParty } from "../../platform/console/index.ts";
import { ASKED_MS, keepChallenge, takeChallenge } from "./challenges.ts";
import { checkOwnPassword } from "./own-password.ts";
import type { OperatorContext } from "./operator-context.ts";
import {
  describePasskey,
  formatPasskeyId,
  insertPasskey,
  markPasskeyUsed,
  parsePasskeyId,
  presentPasskey,
  readPasskeys,
} from "./passkey-rows.ts";

type Asked = Pick<OperatorRequest<never>, "db" | "ip" | "now" | "about">;

const CHALLENGE_BYTES = 32;
const PASSKEYS_MAX = 10;
/** Ed25519, ES256, RS256: what every authenticator knows one of. */
const ALGORITHMS = [-8, -7, -257];

/**
 * The password, and a challenge for a new passkey. Refuses WRONG_PASSWORD, TOO_MANY_TRIES[retryAt], NOT_NOW where no
 * browser gives this console any, and CONFLICT for an eleventh.
 */
export async function startPasskey(
  context: OperatorContext,
  session: OperatorSession,
  password: string,
  asked: Asked,
): Promise<Verdict<PasskeyWish>> {
  const party = passkeyParty(context.consoleUrl());
  if (party === null) return refuse("NOT_NOW");
  const checked = await checkOwnPassword(context, session, password, asked);
  if (!checked.ok) return checked;
  const known = await readPasskeys(asked.db, session.operatorId);
  if (known.length >= PASSKEYS_MAX) return refuse("CONFLICT");
  const challenge = randomBytes(CHALLENGE_BYTES);
  await keepChallenge(asked.db, session.sessionId, "register", challenge, asked.now);
  return accept({
    challenge: challenge.toString("base64url"),
    rp: { id: party.rpId, name: "Fairtick back office" },
    user: {
      id: Buffer.from(String(session.operatorId)).toString("base64url"),
      name: session.login,
      displayName: session.name,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: ASKED_MS,
    attestation: "none",
    excludeCredentials: known.map(describePasskey),
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
  });
}

/** Keeps the passkey that was made for the last challenge. Refuses BAD_CODE, and CONFLICT for one that is known. */
export async function registerPasskey(
  context: OperatorContext,
  session: OperatorSession,
  made: { readonly name: string; readonly passkey: PasskeyMade },
  asked: Asked,
): Promise<Verdict<OwnPasskey>> {
  const party = passkeyParty(context.consoleUrl());
  const challenge = await takeChallenge(context.databases.console, session.sessionId, "register", asked.now);
  if (party === null || challenge === null) return refuse("BAD_CODE");
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const verified = await verifyRegistrationResponse({
    response: made.passkey as VerifyRegistrationResponseOpts["response"],
    expectedChallenge: challenge.toString("base64url"),
    expectedOrigin: party.origin,
    expectedRPID: party.rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: unknown) => {
    context.log.warn({ err: error, operatorId: session.operatorId }, "a new passkey was not what was asked for");
    return null;
  });
  if (!verified?.verified) return refuse("BAD_CODE");
  const { credential, credentialBackedUp } = verified.registrationInfo;
  const row = {
    passkey_id: context.ids.next(),
    credential_id: Buffer.from(credential.id, "base64url"),
    public_key: Buffer.from(credential.publicKey),
    name: made.name.trim(),
    counter: BigInt(credential.counter),
    transports: [...new Set(made.passkey.response.transports)],
    synced: credentialBackedUp,
    made_at: asked.now,
    used_at: null,
  };
  asked.about(formatPasskeyId(row.passkey_id));
  await insertPasskey(asked.db, session.operatorId, row);
  return accept(presentPasskey(row));
}

/** A challenge for one of his passkeys. Refuses NOT_FOUND where he has none, or none can be used here. */
export async function askPasskey(
  context: OperatorContext,
  session: OperatorSession,
  { db, now }: Asked,
): Promise<Verdict<PasskeyQuestion>> {
  const party = passkeyParty(context.consoleUrl());
  const known = await readPasskeys(db, session.operatorId);
  if (party === null || known.length === 0) return refuse("NOT_FOUND");
  const challenge = randomBytes(CHALLENGE_BYTES);
  await keepChallenge(db, session.sessionId, "login", challenge, now);
  return accept({
    challenge: challenge.toString("base64url"),
    rpId: party.rpId,
    timeout: ASKED_MS,
    userVerification: "required",
    allowCredentials: known.map(describePasskey),
  });
}

/** Whether this is what one of his own passkeys says to the session's challenge, which is spent by asking. */
export async function spendPasskey(
  context: OperatorContext,
  session: OperatorSession,
  answer: PasskeyAnswer,
  asked: Asked,
): Promise<boolean> {
  const party = passkeyParty(context.consoleUrl());
  const challenge = await takeChallenge(context.databases.console, session.sessionId, "login", asked.now);
  const named = Buffer.from(answer.id, "base64url");
  const passkey = (await readPasskeys(asked.db, session.operatorId)).find((row) => row.credential_id.equals(named));
  if (party === null || challenge === null || passkey === undefined) return false;
  asked.about(formatPasskeyId(passkey.passkey_id));
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const verified = await verifyAuthenticationResponse({
    response: answer as VerifyAuthenticationResponseOpts["response"],
    expectedChallenge: challenge.toString("base64url"),
    expectedOrigin: party.origin,
    expectedRPID: party.rpId,
    requireUserVerification: true,
    credential: {
      id: answer.id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: Number(passkey.counter),
    },
  }).catch((error: unknown) => {
    // A counter that has not grown is here too: somebody may have a copy of that passkey.
    context.log.warn({ err: error, operatorId: session.operatorId }, "a passkey's answer was refused");
    return null;
  });
  if (!verified?.verified) return false;
  const { newCounter, credentialBackedUp } = verified.authenticationInfo;
  return markPasskeyUsed(asked.db, passkey.passkey_id, {
    counter: BigInt(newCounter),
    synced: credentialBackedUp,
    now: asked.now,
  });
}

/**
 * Gives a passkey up. Refuses WRONG_PASSWORD, TOO_MANY_TRIES[retryAt], NOT_FOUND for one that is not his, and CONFLICT
 * for the last second factor: the database holds that (`keep_second_factor`).
 */
export async function removePasskey(
  context: OperatorContext,
  session: OperatorSession,
  which: { readonly passkeyId: string; readonly password: string },
  asked: Asked,
): Promise<Verdict<null>> {
  const checked = await checkOwnPassword(context, session, which.password, asked);
  if (!checked.ok) return checked;
  const removed = await asked.db.query(
    "UPDATE operator_passkeys SET removed_at = $3 WHERE passkey_id = $1 AND operator_id = $2 AND removed_at IS NULL RETURNING 1",
    [parsePasskeyId(which.passkeyId), session.operatorId, asked.now],
  );
  return removed.length === 1 ? accept(null) : refuse("NOT_FOUND");
}
