import { decideRequests, renewRequests } from "./decide-requests.ts";
import { findPayoutInstance, type PayoutMemory, type PayoutParts } from "./payout-parts.ts";
import { noteStop } from "./payout-waits.ts";
import { noteBalances, openWallet, strandEnded } from "./payout-wallet.ts";
import { reconcile } from "./reconcile.ts";
import { retractEnded } from "./retract-ended.ts";
import { reserveApproved, sendSigned } from "./send-payments.ts";
import { signReserved } from "./sign-reserved.ts";

/**
 * Runs one round of paying on one chain. Every step starts from the tables alone and can be repeated. Several workers can
 * share a chain, because each step names the stage it starts from and the signer gives the same bytes for the same payment.
 */
export async function payoutRound(parts: PayoutParts, memory: PayoutMemory): Promise<void> {
  await strandEnded(parts);
  const instance = await findPayoutInstance(parts, memory);
  if (instance === null) return;
  const wallet = await openWallet(parts, instance);
  await reconcile(parts, instance, wallet, memory);
  await renewRequests(parts, instance);
  await retractEnded(parts);
  await decideRequests(parts, instance);
  await noteStop(parts, instance, wallet);
  if (!wallet.stopped) {
    await reserveApproved(parts, instance, wallet);
    await signReserved(parts, instance, wallet);
    await sendSigned(parts, wallet, memory);
  }
  await noteBalances(parts, instance, wallet, memory);
}
