import type { Fields, userClose, userExportData, userWithdrawConsent } from "@fairtick/protocol";
import { refreshAccount } from "./account.ts";
import { endSessionBy } from "./session.ts";
import { ask, askBytes } from "./transport.ts";

/** Returns everything stored about the member as a zip archive. */
export function exportData(fields: Fields<typeof userExportData>): Promise<Blob> {
  return askBytes<typeof userExportData>("user/exportData", fields);
}

/** Withdraws the consent that the account depends on. This ends the session. */
export function withdrawConsent(loginPassword: string): Promise<void> {
  return endSessionBy(() => ask<typeof userWithdrawConsent>("user/withdrawConsent", { loginPassword }));
}

/** Closes the account: at once, ending the session, or after running orders are settled if `runs`. */
export async function closeAccount(loginPassword: string, runs: boolean): Promise<void> {
  const close = () => ask<typeof userClose>("user/close", { loginPassword });
  if (!runs) return endSessionBy(close);
  await close();
  await refreshAccount();
}
