import { concatBytes, divideHalfEven, equalBytes, toHex, type Points } from "@fairtick/domain";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { createByteReader, FormatError } from "./byte-reader.ts";

/**
 * Pyth's signed price updates, as served by Hermes. An accumulator update has a message for each price with its path in
 * a Merkle tree, and one VAA in which guardians signed the root of that tree. docs/verification.md describes every
 * byte.
 */

/**
 * The guardians that must have signed, and the chain and emitter they signed for, as pinned by a `params.pyth` entry.
 */
export interface PythSigners {
  readonly set: number;
  /** Addresses of 20 bytes, indexed by guardian number. */
  readonly guardians: readonly Uint8Array[];
  readonly quorum: number;
  readonly chain: number;
  readonly emitter: Uint8Array;
}

/** One price message with its path to the root. */
export interface PythLeaf {
  readonly message: Uint8Array;
  /** Sibling hashes of 20 bytes from the leaf up, concatenated. */
  readonly branch: Uint8Array;
}

export interface PythUpdate {
  readonly vaa: Uint8Array;
  readonly leaves: readonly PythLeaf[];
}

/** The root that the guardians signed. */
export interface PythRoot {
  readonly slot: bigint;
  readonly root: Uint8Array;
}

export interface PythPrice {
  /** 64 hexadecimal digits. */
  readonly id: string;
  readonly price: bigint;
  readonly conf: bigint;
  readonly expo: number;
  /** Seconds since 1970. */
  readonly publishTime: bigint;
}

export const PYTH_FAULTS = [
  "malformed",
  "otherSet",
  "fewSigners",
  "sameSigner",
  "wrongSigner",
  "otherEmitter",
] as const;
export type PythFault = (typeof PYTH_FAULTS)[number];

export type OpenedVaa =
  | { readonly ok: true; readonly signed: PythRoot }
  | { readonly ok: false; readonly fault: PythFault };

const UPDATE_MAGIC = 0x504e4155;
const ROOT_MAGIC = 0x41555756;
const HASH_BYTES = 20;
const SIGNATURE_BYTES = 66;
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** Parses an accumulator update; null unless it is of version 1 with Merkle proofs. */
export function parsePythUpdate(bytes: Uint8Array): PythUpdate | null {
  return orNull(() => {
    const reader = createByteReader(bytes);
    reader.expect(reader.u32() === UPDATE_MAGIC && reader.u8() === 1);
    reader.u8();
    reader.take(reader.u8());
    reader.expect(reader.u8() === 0);
    const vaa = reader.take(reader.u16());
    const leaves: PythLeaf[] = [];
    for (let left = reader.u8(); left > 0; left -= 1) {
      const message = reader.take(reader.u16());
      leaves.push({ message, branch: reader.take(reader.u8() * HASH_BYTES) });
    }
    reader.expect(reader.left() === 0 && leaves.length > 0);
    return { vaa, leaves };
  });
}

/** Returns the root that these signers signed, or the first fault found. Never throws. */
export function openVaa(vaa: Uint8Array, signers: PythSigners): OpenedVaa {
  const parts = orNull(() => splitVaa(vaa));
  if (parts === null) return { ok: false, fault: "malformed" };
  if (parts.set !== signers.set) return { ok: false, fault: "otherSet" };
  const fault = signatureFault(parts, signers);
  if (fault !== null) return { ok: false, fault };
  if (parts.chain !== signers.chain || !equalBytes(parts.emitter, signers.emitter)) {
    return { ok: false, fault: "otherEmitter" };
  }
  return { ok: true, signed: { slot: parts.slot, root: parts.root } };
}

/** Returns the slot that a VAA is about, without checking who signed it; null if it is malformed. */
export function slotOfVaa(vaa: Uint8Array): bigint | null {
  return orNull(() => splitVaa(vaa))?.slot ?? null;
}

interface VaaParts extends PythRoot {
  readonly set: number;
  readonly signatures: readonly Uint8Array[];
  readonly digest: Uint8Array;
  readonly chain: number;
  readonly emitter: Uint8Array;
}

function splitVaa(vaa: Uint8Array): VaaParts {
  const reader = createByteReader(vaa);
  reader.expect(reader.u8() === 1);
  const set = reader.u32();
  const signatures = Array.from({ length: reader.u8() }, () => reader.take(SIGNATURE_BYTES));
  const body = reader.rest();
  reader.take(8);
  const chain = reader.u16();
  const emitter = reader.take(32);
  reader.take(9);
  reader.expect(reader.u32() === ROOT_MAGIC && reader.u8() === 0);
  const slot = reader.u64();
  reader.take(4);
  const root = reader.take(HASH_BYTES);
  reader.expect(reader.left() === 0);
  return { set, signatures, digest: keccak_256(keccak_256(body)), chain, emitter, slot, root };
}

/** Checks the signatures. All must be valid, and guardian numbers must rise strictly, so that none counts twice. */
function signatureFault({ signatures, digest }: VaaParts, signers: PythSigners): PythFault | null {
  let before = -1;
  for (const signature of signatures) {
    const number = signature[0] ?? 0;
    if (number <= before) return "sameSigner";
    before = number;
  }
  if (signatures.length < signers.quorum) return "fewSigners";
  for (const signature of signatures) {
    const guardian = signers.guardians[signature[0] ?? 0];
    const signer = recoverSigner(signature.subarray(1), digest);
    if (guardian === undefined || signer === null || !equalBytes(signer, guardian)) return "wrongSigner";
  }
  return null;
}

/** Recovers the 20-byte address of the signer of a digest from r || s || v; null if the signature is malformed. */
function recoverSigner(signature: Uint8Array, digest: Uint8Array): Uint8Array | null {
  try {
    const v = signature[64] ?? 0;
    const recovered = concatBytes(Uint8Array.of(v), signature.subarray(0, 64));
    const key = secp256k1.Point.fromBytes(secp256k1.recoverPublicKey(recovered, digest, { prehash: false }));
    return addressOf(key.toBytes(false));
  } catch {
    return null;
  }
}

/** Returns the address of an uncompressed public key: the last 20 bytes of its keccak-256. */
export function addressOf(publicKey: Uint8Array): Uint8Array {
  return keccak_256(publicKey.subarray(1)).subarray(12);
}

export function pythLeafHash(message: Uint8Array): Uint8Array {
  return keccak_256(concatBytes(LEAF, message)).subarray(0, HASH_BYTES);
}

/** Hashes two nodes. The smaller one comes first, so the order of the arguments doesn't matter. */
export function pythNodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  const [first, second] = toHex(left) <= toHex(right) ? [left, right] : [right, left];
  return keccak_256(concatBytes(NODE, first, second)).subarray(0, HASH_BYTES);
}

/** Returns whether the message is in the tree with that root. */
export function isInPythTree({ message, branch }: PythLeaf, root: Uint8Array): boolean {
  if (branch.length % HASH_BYTES !== 0) return false;
  let hash = pythLeafHash(message);
  for (let from = 0; from < branch.length; from += HASH_BYTES) {
    hash = pythNodeHash(hash, branch.subarray(from, from + HASH_BYTES));
  }
  return equalBytes(hash, root);
}

/** Parses a price message; null for other messages. Ignores bytes after the known fields. */
export function parsePythPrice(message: Uint8Array): PythPrice | null {
  return orNull(() => {
    const reader = createByteReader(message);
    reader.expect(reader.u8() === 0);
    const id = toHex(reader.take(32));
    const price = reader.i64();
    const conf = reader.u64();
    const expo = reader.i32();
    const publishTime = reader.i64();
    reader.take(24);
    return { id, price, conf, expo, publishTime };
  });
}

const EXPO_MAX = 30;

/**
 * Converts a price to points with `places` decimals, rounding half to even; null if it is not positive or out of range.
 */
export function pythPoints({ price, expo }: PythPrice, places: number): Points | null {
  if (price <= 0n || Math.abs(expo) > EXPO_MAX) return null;
  const shift = expo + places;
  const points = shift >= 0 ? price * 10n ** BigInt(shift) : divideHalfEven(price, 10n ** BigInt(-shift));
  return points > 0n ? (points as Points) : null;
}

/** Returns whether Pyth's own confidence interval is at most `confMax` millionths of the price. */
export function isSure({ price, conf }: PythPrice, confMax: bigint): boolean {
  return price > 0n && conf * 1_000_000n <= confMax * price;
}

function orNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}
