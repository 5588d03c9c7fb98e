import type { PasskeyQuestion, PasskeyWish } from "@fairtick/protocol/operator";
import { startAuthentication, startRegistration, WebAuthnError } from "@simplewebauthn/browser";

/** Turns a browser's failure into a message. Browsers report a refusal and a timeout alike. */
function inWords(failure: unknown): Error {
  if (failure instanceof WebAuthnError && failure.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED") {
    return new Error("This authenticator already has one of your passkeys.");
  }
  const name = failure instanceof Error ? failure.name : "";
  if (name === "NotAllowedError" || name === "AbortError")
    return new Error("The passkey request was canceled or timed out. Try again.");
  return new Error("This browser or authenticator doesn’t support passkeys. Try another one.");
}

/** Creates a passkey. Throws an error with a message to show. */
export async function makePasskey(wish: PasskeyWish) {
  try {
    return await startRegistration({ optionsJSON: wish });
  } catch (failure) {
    throw inWords(failure);
  }
}

/** Signs with one of the operator's passkeys. Throws an error with a message to show. */
export async function signWithPasskey(question: PasskeyQuestion) {
  try {
    return await startAuthentication({ optionsJSON: question });
  } catch (failure) {
    throw inWords(failure);
  }
}
