import { type Choice, type Hashes, NONCE_BYTES, orderCommitment, parseId, refusalCommitment } from "@fairtick/domain";
import {
  type AnsweredAcceptance,
  type AnsweredOrder,
  type AnsweredRefusal,
  type Asked,
  leadsToRoot,
  orderParts,
  readPlace,
  refusalParts,
} from "./answer-place.ts";
import type { Posting } from "./board.ts";
import type { RefusedOpening } from "./refused-openings.ts";

/**
 * Makes the posting for witnesses' boards about an accepted order: the signed acceptance, and what opens the seal.
 *
 * @param choice The sealed direction and limit price, with the nonce that sealed them (32 bytes)
 * @returns null if the answer proves no acceptance, so that no witness would take the posting
 */
export function makePosting(
  hashes: Hashes,
  { member, wishes }: Asked,
  order: AnsweredOrder,
  acceptance: AnsweredAcceptance,
  choice: Choice & { readonly nonce: Uint8Array },
): Posting | null {
  const read = readPlace(acceptance, acceptance.acceptedAt);
  const [orderId, memberId] = [parseId("order", order.orderNo), parseId("member", member)];
  if (typeof read === "string" || orderId === null || memberId === null) return null;
  const { batchNo, at, place, count, accepted, path, nonces, signature, key } = read;
  for (const wish of wishes) {
    const parts = orderParts(hashes, read, wish, memberId, orderId, order.configVersion);
    if (parts === null || !leadsToRoot(hashes, read, orderCommitment(hashes, ...parts))) continue;
    const [own, nonce] = [parts[1], nonces.slice(0, NONCE_BYTES)];
    const { direction, limitPrice, nonce: sealNonce } = choice;
    const bound = { accepted, acceptedAt: at, batch: Number(batchNo), count, key, path, place, signature };
    const { symbol, durationSeconds: duration } = wish;
    return { ...bound, direction, duration, limitPrice, nonce, own, sealNonce, symbol };
  }
  return null;
}

/**
 * Makes the opening of a refused wish, which a member may publish so that anyone can find it in its batch and see how
 * the order would have ended. It names neither the member nor their stake.
 *
 * @param choice The sealed direction and limit price, with the nonce that sealed them (32 bytes)
 * @returns null if the answer proves no refusal
 */
export function makeRefusedOpening(
  hashes: Hashes,
  { member, wishes }: Asked,
  refusal: AnsweredRefusal,
  choice: Choice & { readonly nonce: Uint8Array },
): RefusedOpening | null {
  const read = readPlace(refusal, refusal.at);
  const memberId = parseId("member", member);
  if (typeof read === "string" || memberId === null) return null;
  const { batchNo, place, nonces } = read;
  for (const wish of wishes) {
    const parts = refusalParts(hashes, read, wish, memberId, refusal.reason);
    if (parts === null || !leadsToRoot(hashes, read, refusalCommitment(hashes, ...parts))) continue;
    const { symbol, durationSeconds: duration, seal } = wish;
    const { direction, limitPrice, nonce: sealNonce } = choice;
    const found = { batch: Number(batchNo), place, nonce: nonces.slice(0, NONCE_BYTES), own: parts[1] };
    return { ...found, symbol, duration, direction, limitPrice, seal, sealNonce };
  }
  return null;
}
