import type { authResetPassword, authSendCode, Fields } from "@fairtick/protocol";
import { keepWait } from "./code-wait.ts";
import { ask, CallError } from "./transport.ts";

export type CodePurpose = Fields<typeof authSendCode>["purpose"];

/** Sends a six-digit code. Whether it was sent or refused, `codeWait` then knows when another may be requested. */
export async function sendCode(fields: Fields<typeof authSendCode>): Promise<void> {
  try {
    const { retryAt } = await ask<typeof authSendCode>("auth/sendCode", fields);
    keepWait(String(fields.to), retryAt);
  } catch (error) {
    const retryAt = error instanceof CallError ? error.failure?.params["retryAt"] : undefined;
    if (typeof retryAt === "number") keepWait(String(fields.to), retryAt);
    throw error;
  }
}

/** Sets a new login password for a member who forgot theirs. All their sessions end. */
export async function resetPassword(fields: Fields<typeof authResetPassword>): Promise<void> {
  await ask<typeof authResetPassword>("auth/resetPassword", fields);
}
