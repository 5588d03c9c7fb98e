import type { PasskeyQuestion, PasskeyWish } from "@fairtick/protocol";
import { text } from "../shared/i18n.ts";

/** Loads the library when a passkey is first used: most members never use one. */
const browser = () => import("@simplewebauthn/browser");

/** Why a passkey was neither made nor used. Its message can be shown as it is. */
export class PasskeyError extends Error {
  override readonly name = "PasskeyError";
}

/** Returns the error for a failed passkey. Browsers don't distinguish a refusal from a time-out. */
function inWords(failure: unknown): PasskeyError {
  const { name = "", code } = failure instanceof Error ? (failure as Error & { code?: unknown }) : {};
  if (code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED") return new PasskeyError(text("factor.known"));
  return new PasskeyError(
    text(name === "NotAllowedError" || name === "AbortError" ? "factor.notGiven" : "factor.cannot"),
  );
}

/**
 * Creates a passkey with an authenticator and returns it as WebAuthn JSON.
 * @throws PasskeyError if it was canceled, isn't possible here or is there already.
 */
export async function makePasskey(wish: PasskeyWish): Promise<string> {
  const { startRegistration } = await browser();
  try {
    return JSON.stringify(await startRegistration({ optionsJSON: wish }));
  } catch (failure) {
    throw inWords(failure);
  }
}

/**
 * Signs with one of the member's passkeys and returns the result as WebAuthn JSON.
 * @throws PasskeyError if it was canceled or isn't possible here.
 */
export async function signWithPasskey(question: PasskeyQuestion): Promise<string> {
  const { startAuthentication } = await browser();
  try {
    return JSON.stringify(await startAuthentication({ optionsJSON: question }));
  } catch (failure) {
    throw inWords(failure);
  }
}
