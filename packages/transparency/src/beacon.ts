import { type BeaconTimes, concatBytes, u32, u64, utf8, type Hashes } from "@fairtick/domain";
import { bls12_381 } from "@noble/curves/bls12-381.js";

/**
 * Rounds of a drand chain (drand.love) with the scheme `bls-unchained-g1-rfc9380`, which its public chain quicknet uses.
 * Each round is one BLS signature, and no round has a second one.
 */
export const BEACON_SCHEME = "bls-unchained-g1-rfc9380";
/** The compressed signature (G1) and public key (G2) of BLS12-381, and a secret key. */
export const ROUND_SIGNATURE_BYTES = 48;
export const BEACON_KEY_BYTES = 96;
export const BEACON_SECRET_BYTES = 32;

const DST = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
const { shortSignatures: bls, pairingBatch, G1, G2, fields } = bls12_381;

/** What anybody needs to check a chain's rounds. */
export interface BeaconChain extends BeaconTimes {
  readonly publicKey: Uint8Array;
}

export interface BeaconRound {
  /** Counts from 1. */
  readonly round: bigint;
  readonly signature: Uint8Array;
}

type SignaturePoint = ReturnType<typeof bls.hash>;

/** Answers what a round's signature signs: the SHA-256 of its number, big-endian, hashed to the curve as RFC 9380 says. */
function messageOf(hashes: Hashes, round: bigint): SignaturePoint {
  return bls.hash(hashes.sha256(u64(round)), DST);
}

/** Answers the public key of a secret of 32 bytes that `newBeaconSecret` made. */
export function beaconPublicKey(secret: Uint8Array): Uint8Array {
  return bls.getPublicKey(secret).toBytes();
}

/** Makes a secret key from at least 48 random bytes. */
export function newBeaconSecret(random: Uint8Array): Uint8Array {
  return bls.keygen(random).secretKey;
}

export function signRound(hashes: Hashes, secret: Uint8Array, round: bigint): Uint8Array {
  return bls.sign(messageOf(hashes, round), secret).toBytes();
}

/** Says whether the bytes are a public key: a point of the right group, and not its zero. */
export function isBeaconKey(bytes: Uint8Array): boolean {
  if (bytes.length !== BEACON_KEY_BYTES) return false;
  return pointOf(() => G2.Point.fromBytes(bytes)) !== null;
}

/** Says whether a round has the chain's signature. Bytes that are no signature at all answer false. */
export function verifyRound(hashes: Hashes, publicKey: Uint8Array, { round, signature }: BeaconRound): boolean {
  if (signature.length !== ROUND_SIGNATURE_BYTES || !isBeaconKey(publicKey)) return false;
  const point = pointOf(() => G1.Point.fromBytes(signature));
  return point !== null && bls.verify(point, messageOf(hashes, round), publicKey);
}

/**
 * Answers the places of the rounds whose signature does not hold. All rounds are checked at once by one random linear
 * combination, which takes two pairings where all hold. The factors are hashes of everything that is checked, so that
 * nobody can choose wrong signatures that cancel out. Where the sum does not hold, each half is checked by itself.
 */
export function wrongRounds(hashes: Hashes, publicKey: Uint8Array, rounds: readonly BeaconRound[]): number[] {
  if (!isBeaconKey(publicKey)) return [...rounds.keys()];
  const wrongOf = (from: number, to: number): number[] => {
    if (from === to || sumHolds(hashes, publicKey, rounds.slice(from, to))) return [];
    if (to - from === 1) return [from];
    const middle = (from + to) >> 1;
    return [...wrongOf(from, middle), ...wrongOf(middle, to)];
  };
  return wrongOf(0, rounds.length);
}

function sumHolds(hashes: Hashes, publicKey: Uint8Array, rounds: readonly BeaconRound[]): boolean {
  const told = rounds.flatMap(({ round, signature }) => [u64(round), u32(signature.length), signature]);
  const seed = hashes.sha256(concatBytes(utf8("BEACON/batch\0"), publicKey, ...told));
  let signatures = G1.Point.ZERO;
  let messages = G1.Point.ZERO;
  for (const [place, { round, signature }] of rounds.entries()) {
    if (signature.length !== ROUND_SIGNATURE_BYTES) return false;
    const point = pointOf(() => G1.Point.fromBytes(signature));
    if (point === null) return false;
    const factor = factorOf(hashes.hmacSha256(seed, u32(place)));
    signatures = signatures.add(point.multiplyUnsafe(factor));
    messages = messages.add(messageOf(hashes, round).multiplyUnsafe(factor));
  }
  if (signatures.is0() || messages.is0()) return false;
  const product = pairingBatch([
    { g1: messages, g2: G2.Point.fromBytes(publicKey) },
    { g1: signatures.negate(), g2: G2.Point.BASE },
  ]);
  return fields.Fp12.eql(product, fields.Fp12.ONE);
}

/** Makes a factor of 128 bits, with which a wrong signature passes with a chance of 2^-128. */
function factorOf(bytes: Uint8Array): bigint {
  let factor = 0n;
  for (const byte of bytes.subarray(0, 16)) factor = (factor << 8n) | BigInt(byte);
  return factor === 0n ? 1n : factor;
}

/** Reads a point of its prime-order group other than zero; null for other bytes, for which noble throws. */
function pointOf<Point extends { assertValidity(): void; is0(): boolean }>(read: () => Point): Point | null {
  try {
    const point = read();
    point.assertValidity();
    return point.is0() ? null : point;
  } catch {
    return null;
  }
}
