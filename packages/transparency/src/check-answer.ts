import {
  batchRoot,
  calculateReturns,
  type Choice,
  type DeviceId,
  equalBytes,
  fromHex,
  type Hashes,
  type Instant,
  type MemberId,
  merklePathRoot,
  NONCE_BYTES,
  type OrderId,
  ORDER_NONCES_BYTES,
  orderCommitment,
  parseId,
  privateHash,
  privateJson,
  refusalCommitment,
  refusalJson,
  SEEN_WITHIN_MS,
  type SealedPart,
  type SealedWish,
  termsHash,
  termsJson,
  termsOf,
} from "@fairtick/domain";
import { verifyBatchRoot } from "./acceptance.ts";
import { fromBase64 } from "./base64.ts";
import type { Posting } from "./board.ts";
import { findAcceptanceKey, type VerifierPolicy } from "./verifier-policy.ts";

/** A sealed wish as its device sent it. */
export interface SentWish extends SealedWish {
  /** Made by the device, over `wishText`: 64 bytes. */
  readonly signature: Uint8Array;
  /** Time of the newest tick of the head that it names, ms. */
  readonly seenAt: Instant;
}

/** Where an answer stands in its batch, as `order/place` tells it. Any of it may be missing. */
export interface AnsweredPlace {
  readonly batchNo: string | null;
  readonly place: number | null;
  readonly count: number | null;
  readonly accepted: number | null;
  readonly path: readonly string[] | null;
  readonly nonce: string | null;
  readonly root: string | null;
  readonly signature: string | null;
  readonly key: string | null;
}

export interface AnsweredAcceptance extends AnsweredPlace {
  readonly acceptedAt: number | null;
}

export interface AnsweredRefusal extends AnsweredPlace {
  readonly reason: string;
  readonly at: number;
}

/** What the answer says of the order beside its acceptance. */
export interface AnsweredOrder {
  readonly orderNo: string;
  readonly configVersion: number;
}

/**
 * What is wrong with an answer. `missing`: it proves nothing, since something is left out. `malformed`: what is there cannot be
 * read. `unknown-key`: none of the pinned keys signed it. `signature`: the signature does not hold. `path`: it does not lead from
 * this wish to the signed root. `other-list`: a refusal stands among the orders, or an order among the refusals. `late`: accepted
 * more than 3 s after what the device had seen.
 */
export type AnswerFault = "missing" | "malformed" | "unknown-key" | "signature" | "path" | "other-list" | "late";

/** Whose wishes they were, each as it was sent: a wish that is sent again names newer prices and is signed again. */
export interface Asked {
  /** `usr_…` */
  readonly member: string;
  readonly wishes: readonly SentWish[];
}

/**
 * Checks at once, from what the device holds, that the house bound itself to this very order: everything that the answer shows
 * of it, the seal and the device's signature among it, leads to the root that the house signed.
 *
 * @returns null where all holds
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

/** Checks that the house committed itself to having refused this very wish, for this reason. Null where all holds. */
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

interface Place {
  readonly batchNo: bigint;
  readonly at: Instant;
  readonly place: number;
  readonly count: number;
  readonly accepted: number;
  readonly path: readonly Uint8Array[];
  readonly nonces: Uint8Array;
  readonly root: Uint8Array;
  readonly signature: Uint8Array;
  readonly key: string;
}

function readPlace(answer: AnsweredPlace, at: number | null): Place | "missing" | "malformed" {
  const { batchNo, place, count, accepted, path, nonce, root, signature, key } = answer;
  if (
    [batchNo, place, count, accepted, path, nonce, root, signature, key, at].some(
      (value) => value === null || value === undefined,
    )
  )
    return "missing";
  const hashes = path?.map((text) => fromHex(text)) ?? [];
  const nonces = fromHex(nonce ?? "");
  const rootBytes = fromHex(root ?? "");
  const signed = fromBase64(signature ?? "");
  const isPath = hashes.every((bytes): bytes is Uint8Array => bytes?.length === 32);
  const isWhole = [place, count, accepted, at].every((value) => Number.isSafeInteger(value) && Number(value) >= 0);
  if (!isPath || !isWhole || nonces?.length !== ORDER_NONCES_BYTES || rootBytes?.length !== 32 || signed === null)
    return "malformed";
  if (!/^[1-9][0-9]{0,17}$/.test(batchNo ?? "")) return "malformed";
  return {
    batchNo: BigInt(batchNo ?? 0),
    at: BigInt(at ?? 0) as Instant,
    place: place ?? 0,
    count: count ?? 0,
    accepted: accepted ?? 0,
    path: hashes,
    nonces,
    root: rootBytes,
    signature: signed,
    key: key ?? "",
  };
}

/** Which of the commitments leads to the signed root; a fault where none does, or nobody known signed it. */
function checkPlace(
  hashes: Hashes,
  policy: VerifierPolicy,
  { batchNo, at, place, count, accepted, path, root, signature, key }: Place,
  commitments: readonly (Uint8Array | null)[],
): number | AnswerFault {
  const fits = commitments.findIndex((commitment) => {
    const top =
      commitment === null ? null : merklePathRoot(hashes, { entry: commitment, index: place, size: count, path });
    return top !== null && equalBytes(batchRoot(hashes, batchNo, at, accepted, top), root);
  });
  if (fits < 0) return "path";
  const known = findAcceptanceKey(policy, key);
  if (known === null) return "unknown-key";
  return verifyBatchRoot(known, root, signature) ? fits : "signature";
}

/**
 * What a device posts to witnesses' boards about an accepted order: the signed acceptance, with what opens the seal.
 *
 * @param choice What was sealed, with the nonce that sealed it (32 bytes)
 * @returns null where the answer proves nothing, so that no witness could take it
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
  const { batchNo, at, place, count, accepted, path, nonces, root, signature, key } = read;
  for (const wish of wishes) {
    const parts = orderParts(hashes, read, wish, memberId, orderId, order.configVersion);
    const entry = parts && orderCommitment(hashes, ...parts);
    const top = entry && merklePathRoot(hashes, { entry, index: place, size: count, path });
    if (parts === null || !top || !equalBytes(batchRoot(hashes, batchNo, at, accepted, top), root)) continue;
    const [own, nonce] = [parts[1], nonces.slice(0, NONCE_BYTES)];
    const { direction, limitPrice, nonce: sealNonce } = choice;
    const bound = { accepted, acceptedAt: at, batch: Number(batchNo), count, key, path, place, signature };
    const { symbol, durationSeconds: duration } = wish;
    return { ...bound, direction, duration, limitPrice, nonce, own, sealNonce, symbol };
  }
  return null;
}

function orderMade(...made: Parameters<typeof orderParts>): Uint8Array | null {
  const parts = orderParts(...made);
  return parts && orderCommitment(made[0], ...parts);
}

/** Hashes of an order's terms and of its private part. */
function orderParts(
  hashes: Hashes,
  { nonces }: Place,
  wish: SentWish,
  memberId: MemberId,
  orderId: OrderId,
  configVersion: number,
): [Uint8Array, Uint8Array] | null {
  const sealed = sealedPart(wish);
  if (sealed === null) return null;
  const { profitIfWon } = calculateReturns(wish);
  const terms = { ...wish, sealed, direction: null, limitPrice: null };
  const own = privateJson({ ...terms, memberId, orderId, configVersion, profitIfWon });
  return bothHashes(hashes, nonces, termsJson(termsOf(terms)), own);
}

function refusalMade(
  hashes: Hashes,
  { nonces }: Place,
  wish: SentWish,
  memberId: MemberId,
  reason: string,
): Uint8Array | null {
  const sealed = sealedPart(wish);
  if (sealed === null) return null;
  const terms = { ...wish, sealed, direction: null, limitPrice: null };
  const own = refusalJson({ ...terms, memberId }, reason);
  return refusalCommitment(hashes, ...bothHashes(hashes, nonces, termsJson(termsOf(terms)), own));
}

function bothHashes(hashes: Hashes, nonces: Uint8Array, terms: string, own: string): [Uint8Array, Uint8Array] {
  return [
    termsHash(hashes, nonces.subarray(0, NONCE_BYTES), terms),
    privateHash(hashes, nonces.subarray(NONCE_BYTES), own),
  ];
}

function sealedPart({ seal, deviceId, seenSlot, seenHash, signature }: SentWish): SealedPart | null {
  const device: DeviceId | null = parseId("device", deviceId);
  return device === null ? null : { seal, deviceId: device, seenSlot, seenHash, signature };
}
