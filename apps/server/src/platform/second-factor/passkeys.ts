/**
 * Passkeys: an authenticator signs a challenge of ours for one name (`passkeyParty`), after it has made sure of its owner
 * (a fingerprint, a PIN). What it says is verified by @simplewebauthn/server, which is loaded by the first who needs it:
 * with all kinds of attestation it would take a tenth of every start.
 */
import { randomBytes } from "node:crypto";
import type { PasskeyAnswer, PasskeyMade, PasskeyQuestion, PasskeyWish } from "@fairtick/protocol";
import type { VerifyAuthenticationResponseOpts, VerifyRegistrationResponseOpts } from "@simplewebauthn/server";
import type { PasskeyParty } from "./passkey-party.ts";

const CHALLENGE_BYTES = 32;
/** Ed25519, ES256, RS256: what every authenticator knows one of. */
const ALGORITHMS = [-8, -7, -257];

export function newPasskeyChallenge(): Buffer {
  return randomBytes(CHALLENGE_BYTES);
}

/** A passkey as the browser is told of it, to find it or to make no second one. */
export interface KnownPasskey {
  readonly credential_id: Buffer;
  readonly transports: readonly string[];
}

function describePasskey({ credential_id, transports }: KnownPasskey) {
  return { id: credential_id.toString("base64url"), type: "public-key" as const, transports: [...transports] };
}

/** Somebody to be asked: where, with what, and which passkeys they have. */
export interface Asking {
  readonly party: PasskeyParty;
  readonly challenge: Buffer;
  readonly known: readonly KnownPasskey[];
  /** How long the browser waits for its authenticator, in milliseconds. */
  readonly timeoutMs: number;
}

/** Writes the wish for a new passkey, in WebAuthn's own form. */
export function passkeyWishFor(
  { party, challenge, known, timeoutMs }: Asking,
  owner: {
    /** What the authenticator shows as the place. */
    readonly place: string;
    readonly id: bigint;
    readonly name: string;
    readonly displayName: string;
  },
): PasskeyWish {
  return {
    challenge: challenge.toString("base64url"),
    rp: { id: party.rpId, name: owner.place },
    user: {
      id: Buffer.from(String(owner.id)).toString("base64url"),
      name: owner.name,
      displayName: owner.displayName,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: timeoutMs,
    attestation: "none",
    excludeCredentials: known.map(describePasskey),
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
  };
}

/** Writes the question to one of the known passkeys, in WebAuthn's own form. */
export function passkeyQuestionFor({ party, challenge, known, timeoutMs }: Asking): PasskeyQuestion {
  return {
    challenge: challenge.toString("base64url"),
    rpId: party.rpId,
    timeout: timeoutMs,
    userVerification: "required",
    allowCredentials: known.map(describePasskey),
  };
}

/** What an answer is held against. `refused` hears why the library refused it. */
export interface Expected {
  readonly party: PasskeyParty;
  readonly challenge: Buffer;
  readonly refused: (error: unknown) => void;
}

export interface VerifiedPasskey {
  readonly credentialId: Buffer;
  /** COSE. */
  readonly publicKey: Buffer;
  readonly counter: bigint;
  readonly transports: string[];
  /** Whether its maker keeps copies of it on other devices. */
  readonly synced: boolean;
}

/** Verifies the passkey that was made for a challenge; null where it isn't what was asked for. */
export async function verifyNewPasskey(
  made: PasskeyMade,
  { party, challenge, refused }: Expected,
): Promise<VerifiedPasskey | null> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const verified = await verifyRegistrationResponse({
    response: made as VerifyRegistrationResponseOpts["response"],
    expectedChallenge: challenge.toString("base64url"),
    expectedOrigin: party.origin,
    expectedRPID: party.rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: unknown) => {
    refused(error);
    return null;
  });
  if (!verified?.verified) return null;
  const { credential, credentialBackedUp } = verified.registrationInfo;
  return {
    credentialId: Buffer.from(credential.id, "base64url"),
    publicKey: Buffer.from(credential.publicKey),
    counter: BigInt(credential.counter),
    transports: [...new Set(made.response.transports)],
    synced: credentialBackedUp,
  };
}

/** Verifies what a passkey signed; null for a wrong signature, origin or counter. */
export async function verifyPasskeyAnswer(
  answer: PasskeyAnswer,
  passkey: { readonly public_key: Buffer; readonly counter: bigint },
  { party, challenge, refused }: Expected,
): Promise<{ counter: bigint; synced: boolean } | null> {
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
    refused(error);
    return null;
  });
  if (!verified?.verified) return null;
  const { newCounter, credentialBackedUp } = verified.authenticationInfo;
  return { counter: BigInt(newCounter), synced: credentialBackedUp };
}
