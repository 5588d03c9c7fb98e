import type { Fields, Order, orderPlace } from "@fairtick/protocol";
import { ask } from "../transport.ts";
import { noteAcceptance } from "./evidence.ts";
import { type KeptWish, readEvidence } from "./evidence-shelf.ts";
import type { KeptChoice } from "./shelf.ts";

/** How often the request is sent again. The client repeats each of them if there is no answer. */
const TRIES_MAX = 3;

const tries = new Map<string, number>();

/**
 * Fetches the acceptance of an order that this device found in a list although its request was never answered. Sends the
 * very same request again, which the house answers with the first answer, and keeps that as usual, with what the
 * witnesses' boards need. After a few tries without an acceptance it is noted as missing, which raises the alarm.
 *
 * @returns Whether the order may be opened now; the member must not lose it for want of an acceptance
 */
export async function recoverAcceptance(
  { member, clientOrderId }: Pick<KeptChoice, "member" | "clientOrderId">,
  order: Order,
): Promise<boolean> {
  const kept = await readEvidence(member, clientOrderId).catch(() => undefined);
  const wish = kept?.wishes.at(-1);
  if (wish === undefined || kept?.answer?.kind === "accepted") return true;
  const again = await ask<typeof orderPlace>("order/place", fieldsOf(wish, clientOrderId)).catch(() => null);
  const acceptance = again?.acceptance ?? null;
  const times = (tries.get(clientOrderId) ?? 0) + 1;
  tries.set(clientOrderId, times);
  if (acceptance === null && times < TRIES_MAX) return false;
  // The acceptance has to be that of the order in the list.
  await noteAcceptance(member, clientOrderId, order, acceptance).catch(() => undefined);
  return true;
}

function fieldsOf({ seen, ...wish }: KeptWish, clientOrderId: string): Fields<typeof orderPlace> {
  return { ...wish, clientOrderId, seenSlot: seen.slot, seenHash: seen.hash };
}
