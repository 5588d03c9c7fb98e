import type { PasskeyQuestion, PasskeyWish } from "@fairtick/protocol/operator";
import { startAuthentication, startRegistration, WebAuthnError } from "@simplewebauthn/browser";

/** What the browser did not do, in words. Browsers do not tell a refusal from a time that ran out. */
function inWords(failure: unknown): Error {
  if (failure instanceof WebAuthnError && failure.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED") {
    return new Error("This authenticator has a passkey of yours already.");
  }
  const name = failure instanceof Error ? failure.name : "";
  if (name === "NotAllowedError" || name === "AbortError") return new Error("No passkey was given. Try again.");
  return new Error("This browser or authenticator cannot do it. Try another one.");
}

/** Has an authenticator make a passkey. */
export async function makePasskey(wish: PasskeyWish) {
  try {
    return await startRegistration({ optionsJSON: wish });
  } catch (failure) {
    throw inWords(failure);
  }
}

/** Has one of the operator's passkeys sign. */
export async function signWithPasskey(question: PasskeyQuestion) {
  try {
    return await startAuthentication({ optionsJSON: question });
  } catch (failure) {
    throw inWords(failure);
  }
}
