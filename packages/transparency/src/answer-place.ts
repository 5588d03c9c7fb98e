import {
  batchRoot,
  calculateReturns,
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
  parseId,
  privateHash,
  privateJson,
  refusalJson,
  type SealedPart,
  type SealedWish,
  termsHash,
  termsJson,
  termsOf,
} from "@fairtick/domain";
import { fromBase64 } from "./base64.ts";

/** A request for a sealed order (a “wish”), as the device sent it. */
export interface SentWish extends SealedWish {
  /** The device's signature over `wishText`: 64 bytes. */
  readonly signature: Uint8Array;
  /**
   * Time of the newest tick, of any symbol, of the head that the wish names, ms. A device knows no more of a slot when
   * it gets its answer. The receipt shows the whole slot, and its check `seen` counts from the order's own symbol.
   */
  readonly seenAt: Instant;
}

/** The place of an order or refusal in its batch, as returned by the call `order/place`. Any field may be missing. */
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

/** The fields of the answer that describe the order apart from its acceptance. */
export interface AnsweredOrder {
  readonly orderNo: string;
  readonly configVersion: number;
}

/** The member who asked, and every wish they sent: each retry names newer prices and has a new signature. */
export interface Asked {
  /** `usr_…` */
  readonly member: string;
  readonly wishes: readonly SentWish[];
}

/** A place in a batch with all fields present and parsed. */
export interface Place {
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

/** An answered place with no field missing. */
type WholePlace = { readonly [Field in keyof AnsweredPlace]: NonNullable<AnsweredPlace[Field]> };

/** Parses the fields of a place. `at`: when the order was accepted or refused, ms. */
export function readPlace(answer: AnsweredPlace, at: number | null): Place | "missing" | "malformed" {
  if (at === null || at === undefined || !isWhole(answer)) return "missing";
  const { batchNo, place, count, accepted, key } = answer;
  const path = answer.path.map((text) => fromHex(text));
  const nonces = fromHex(answer.nonce);
  const root = fromHex(answer.root);
  const signature = fromBase64(answer.signature);
  const isPath = path.every((bytes): bytes is Uint8Array => bytes?.length === 32);
  const areCounts = [place, count, accepted, at].every((value) => Number.isSafeInteger(value) && value >= 0);
  if (!isPath || !areCounts || nonces?.length !== ORDER_NONCES_BYTES || root?.length !== 32 || signature === null)
    return "malformed";
  if (!/^[1-9][0-9]{0,17}$/.test(batchNo)) return "malformed";
  const batch = { batchNo: BigInt(batchNo), at: BigInt(at) as Instant };
  return { ...batch, place, count, accepted, path, nonces, root, signature, key };
}

function isWhole(answer: AnsweredPlace): answer is WholePlace {
  const { batchNo, place, count, accepted, path, nonce, root, signature, key } = answer;
  return [batchNo, place, count, accepted, path, nonce, root, signature, key].every(
    (value) => value !== null && value !== undefined,
  );
}

/** Returns whether the path from a commitment at this place leads to the batch's root. */
export function leadsToRoot(
  hashes: Hashes,
  { batchNo, at, place, count, accepted, path, root }: Place,
  entry: Uint8Array | null,
): boolean {
  const top = entry && merklePathRoot(hashes, { entry, index: place, size: count, path });
  return top !== null && equalBytes(batchRoot(hashes, batchNo, at, accepted, top), root);
}

/** Returns the hashes of an order's terms and of its private part; null if the wish's device id is malformed. */
export function orderParts(
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

/** Returns the hashes of a refused wish's terms and of its private part; null if its device id is malformed. */
export function refusalParts(
  hashes: Hashes,
  { nonces }: Place,
  wish: SentWish,
  memberId: MemberId,
  reason: string,
): [Uint8Array, Uint8Array] | null {
  const sealed = sealedPart(wish);
  if (sealed === null) return null;
  const terms = { ...wish, sealed, direction: null, limitPrice: null };
  return bothHashes(hashes, nonces, termsJson(termsOf(terms)), refusalJson({ ...terms, memberId }, reason));
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
