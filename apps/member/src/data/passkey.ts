import type { PasskeyQuestion, PasskeyWish } from "@fairtick/protocol";
import { text } from "../shared/i18n.ts";

/** The library comes with the first passkey that is wanted: most members never use one. */
const browser = () => import("@simplewebauthn/browser");

/** What the browser did not do, in words. Browsers do not tell a refusal from a time that ran out. */
function inWords(failure: unknown): Error {
  const { name = "", code } = failure instanceof Error ? (failure as Error & { code?: unknown }) : {};
  if (code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED") return new Error(text("factor.known"));
  return new Error(text(name === "NotAllowedError" || name === "AbortError" ? "factor.notGiven" : "factor.cannot"));
}

/** Has an authenticator make a passkey; answers it as WebAuthn's JSON. */
export async function makePasskey(wish: PasskeyWish): Promise<string> {
  const { startRegistration } = await browser();
  try {
    return JSON.stringify(await startRegistration({ optionsJSON: wish }));
  } catch (failure) {
    throw inWords(failure);
  }
}

/** Has one of the member's passkeys sign; answers it as WebAuthn's JSON. */
export async function signWithPasskey(question: PasskeyQuestion): Promise<string> {
  const { startAuthentication } = await browser();
  try {
    return JSON.stringify(await startAuthentication({ optionsJSON: question }));
  } catch (failure) {
    throw inWords(failure);
  }
}
