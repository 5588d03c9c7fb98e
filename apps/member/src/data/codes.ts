import type { authResetPassword, authSendCode, Fields } from "@fairtick/protocol";
import { ask } from "./transport.ts";

export type CodePurpose = Fields<typeof authSendCode>["purpose"];

/** Sends a six-digit code; answers when another may be asked for, by the server's clock. */
export async function sendCode(fields: Fields<typeof authSendCode>): Promise<number> {
  const { retryAt } = await ask<typeof authSendCode>("auth/sendCode", fields);
  return retryAt;
}

/** Sets a forgotten login password. All sessions end. */
export async function resetPassword(fields: Fields<typeof authResetPassword>): Promise<void> {
  await ask<typeof authResetPassword>("auth/resetPassword", fields);
}
