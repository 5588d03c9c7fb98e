/**
 * Passkeys: an authenticator checks its owner (by fingerprint or PIN) and then signs our challenge for one host name
 * (`passkeyParty`). @simplewebauthn/server verifies its answer. It is loaded at its first use, since loading it would take a
 * tenth of every start.
 */
import { randomBytes } from "node:crypto";
import type { PasskeyAnswer, PasskeyMade, PasskeyQuestion, PasskeyWish } from "@fairtick/protocol";
import type { VerifyAuthenticationResponseOpts, VerifyRegistrationResponseOpts } from "@simplewebauthn/server";
import type { PasskeyParty } from "./passkey-party.ts";

const CHALLENGE_BYTES = 32;
/** Ed25519, ES256 and RS256. Every authenticator supports one of these. */
const ALGORITHMS = [-8, -7, -257];

export function newPasskeyChallenge(): Buffer {
  return randomBytes(CHALLENGE_BYTES);
}

/** A passkey as described to the browser, which finds it or avoids making a second one. */
export interface KnownPasskey {
  readonly credential_id: Buffer;
  readonly transports: readonly string[];
}

function describePasskey({ credential_id, transports }: KnownPasskey) {
  return { id: credential_id.toString("base64url"), type: "public-key" as const, transports: [...transports] };
}

/** A question to a person with passkeys: where, with which challenge, and which passkeys they have. */
export interface Asking {
  readonly party: PasskeyParty;
  readonly challenge: Buffer;
  readonly known: readonly KnownPasskey[];
  /** How long the browser waits for the authenticator, in milliseconds. */
  readonly timeoutMs: number;
}

/** Makes the request for a new passkey in WebAuthn's form. */
export function passkeyWishFor(
  { party, challenge, known, timeoutMs }: Asking,
  owner: {
    /** The service name that the authenticator shows. */
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

/** Makes the question to one of the known passkeys in WebAuthn's form. */
export function passkeyQuestionFor({ party, challenge, known, timeoutMs }: Asking): PasskeyQuestion {
  return {
    challenge: challenge.toString("base64url"),
    rpId: party.rpId,
    timeout: timeoutMs,
    userVerification: "required",
    allowCredentials: known.map(describePasskey),
  };
}

/** What an answer is checked against. `refused` is called with the library's reason for a refusal. */
export interface Expected {
  readonly party: PasskeyParty;
  readonly challenge: Buffer;
  readonly refused: (error: unknown) => void;
}

export interface VerifiedPasskey {
  readonly credentialId: Buffer;
  /** The public key in COSE. */
  readonly publicKey: Buffer;
  readonly counter: bigint;
  readonly transports: string[];
  /** Whether its vendor syncs it to other devices. */
  readonly synced: boolean;
}

/** Verifies a new passkey for a challenge; null if it isn't what was requested. */
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

/** Verifies a passkey's signature; null for a wrong signature, origin or counter. */
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
    // This includes a counter that hasn't grown, which means that someone may have a copy of the passkey.
    refused(error);
    return null;
  });
  if (!verified?.verified) return null;
  const { newCounter, credentialBackedUp } = verified.authenticationInfo;
  return { counter: BigInt(newCounter), synced: credentialBackedUp };
}
