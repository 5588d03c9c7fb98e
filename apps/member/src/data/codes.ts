import type { authResetPassword, authSendCode, Fields } from "@fairtick/protocol";
import { ask, CallError } from "./transport.ts";

export type CodePurpose = Fields<typeof authSendCode>["purpose"];

/** Until when no other code goes to an address. It outlives the screen: its language and region are chosen on others. */
const waits = new Map<string, number>();

/** When another code may be asked for, by the server's clock; 0 where nothing stands against it. */
export function codeWait(to: string): number {
  return waits.get(to) ?? 0;
}

/** Sends a six-digit code; `codeWait` knows then, sent or refused, when another may be asked for. */
export async function sendCode(fields: Fields<typeof authSendCode>): Promise<void> {
  try {
    const { retryAt } = await ask<typeof authSendCode>("auth/sendCode", fields);
    waits.set(String(fields.to), retryAt);
  } catch (error) {
    const retryAt = error instanceof CallError ? error.failure?.params["retryAt"] : undefined;
    if (typeof retryAt === "number") waits.set(String(fields.to), retryAt);
    throw error;
  }
}

/** Sets a forgotten login password. All sessions end. */
export async function resetPassword(fields: Fields<typeof authResetPassword>): Promise<void> {
  await ask<typeof authResetPassword>("auth/resetPassword", fields);
}
