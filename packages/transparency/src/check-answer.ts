import { type Hashes, orderCommitment, parseId, refusalCommitment, SEEN_WITHIN_MS } from "@fairtick/domain";
import { verifyBatchRoot } from "./acceptance.ts";
import {
  type AnsweredAcceptance,
  type AnsweredOrder,
  type AnsweredRefusal,
  type Asked,
  leadsToRoot,
  orderParts,
  type Place,
  readPlace,
  refusalParts,
} from "./answer-place.ts";
import { findAcceptanceKey, type VerifierPolicy } from "./verifier-policy.ts";

/**
 * What is wrong with an answer. `missing`: a field is missing, so it proves nothing. `malformed`: a field can't be
 * parsed. `unknown-key`: it is signed with a key that isn't pinned. `signature`: the signature is invalid. `path`: it
 * doesn't lead from this wish to the signed root. `other-list`: a refusal is listed among the orders, or an order among
 * the refusals. `late`: the order was accepted more than 3 s after the newest price that the device had seen.
 */
export type AnswerFault = "missing" | "malformed" | "unknown-key" | "signature" | "path" | "other-list" | "late";

/**
 * Checks on the member's device that the house bound itself to exactly this order: everything that the answer says
 * about it, including the seal and the device's signature, must lead to the root that the house signed.
 *
 * @returns null if the answer is right
 */
export function checkAcceptance(
  hashes: Hashes,
  policy: VerifierPolicy,
  { member, wishes }: Asked,
  order: AnsweredOrder,
  acceptance: AnsweredAcceptance | null,
): AnswerFault | null {
  const read = acceptance === null ? "missing" : readPlace(acceptance, acceptance.acceptedAt);
  if (typeof read === "string") return read;
  const orderId = parseId("order", order.orderNo);
  const memberId = parseId("member", member);
  if (orderId === null || memberId === null) return "malformed";
  const commitments = wishes.map((wish) => orderMade(hashes, read, wish, memberId, orderId, order.configVersion));
  const fault = checkPlace(hashes, policy, read, commitments);
  if (typeof fault === "string") return fault;
  if (read.place >= read.accepted) return "other-list";
  const wish = wishes[fault];
  return wish !== undefined && read.at > wish.seenAt + SEEN_WITHIN_MS ? "late" : null;
}

/** Checks that the house bound itself to having refused exactly this wish for this reason. Returns null if it did. */
export function checkRefusal(
  hashes: Hashes,
  policy: VerifierPolicy,
  { member, wishes }: Asked,
  refusal: AnsweredRefusal | null,
): AnswerFault | null {
  const read = refusal === null ? "missing" : readPlace(refusal, refusal.at);
  if (typeof read === "string" || refusal === null) return read === "malformed" ? "malformed" : "missing";
  const memberId = parseId("member", member);
  if (memberId === null || !/^[A-Z][A-Z_]{1,39}$/.test(refusal.reason)) return "malformed";
  const commitments = wishes.map((wish) => refusalMade(hashes, read, wish, memberId, refusal.reason));
  const fault = checkPlace(hashes, policy, read, commitments);
  if (typeof fault === "string") return fault;
  return read.place < read.accepted ? "other-list" : null;
}

/**
 * Returns the place of the commitment that leads to the signed root; a fault if none does or no pinned key signed it.
 */
function checkPlace(
  hashes: Hashes,
  policy: VerifierPolicy,
  read: Place,
  commitments: readonly (Uint8Array | null)[],
): number | AnswerFault {
  const fits = commitments.findIndex((commitment) => leadsToRoot(hashes, read, commitment));
  if (fits < 0) return "path";
  const known = findAcceptanceKey(policy, read.key);
  if (known === null) return "unknown-key";
  return verifyBatchRoot(known, read.root, read.signature) ? fits : "signature";
}

function orderMade(...made: Parameters<typeof orderParts>): Uint8Array | null {
  const parts = orderParts(...made);
  return parts && orderCommitment(made[0], ...parts);
}

function refusalMade(...made: Parameters<typeof refusalParts>): Uint8Array | null {
  const parts = refusalParts(...made);
  return parts && refusalCommitment(made[0], ...parts);
}
