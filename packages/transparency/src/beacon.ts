import { type BeaconTimes, concatBytes, toHex, u32, u64, utf8, type Hashes } from "@fairtick/domain";
import { bls12_381 } from "@noble/curves/bls12-381.js";

/**
 * Signature scheme of the drand chains (drand.love) that this module supports; the public chain quicknet uses it. Each
 * round is one BLS signature, and exactly one signature is valid for each round.
 */
export const BEACON_SCHEME = "bls-unchained-g1-rfc9380";
/** Lengths on the curve BLS12-381: of a compressed signature (G1), a compressed public key (G2) and a secret key. */
export const ROUND_SIGNATURE_BYTES = 48;
export const BEACON_KEY_BYTES = 96;
export const BEACON_SECRET_BYTES = 32;

const DST = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
const { shortSignatures: bls, pairingBatch, G1, G2, fields } = bls12_381;

/** What is needed to check a chain's rounds: its times and its public key. */
export interface BeaconChain extends BeaconTimes {
  readonly publicKey: Uint8Array;
}

/** drand's public chain quicknet, as its `/info` describes it. */
const QUICKNET = {
  genesis: 1_692_803_367n,
  period: 3n,
  key:
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451" +
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
};

/** The longest time between rounds, in seconds. Whoever knows a seed knows prices for that long ahead. */
const PERIOD_MAX = 3n;

/**
 * Checks the times of a chain's rounds, which the house states and no round signs: rounds that were due long ago, or one
 * that is due for hours, would give the whole path away. Returns what is wrong with them; null if nothing is.
 */
export function chainFault({ genesis, period, publicKey }: BeaconChain): string | null {
  if (period > PERIOD_MAX) return `its beacon's rounds are ${period} s apart, and at most ${PERIOD_MAX} s are allowed`;
  const isTold = genesis === QUICKNET.genesis && period === QUICKNET.period;
  if (isTold || toHex(publicKey) !== QUICKNET.key) return null;
  return `its beacon is quicknet, whose first round was due at ${QUICKNET.genesis} and whose period is ${QUICKNET.period} s`;
}

export interface BeaconRound {
  /** Counts from 1. */
  readonly round: bigint;
  readonly signature: Uint8Array;
}

type SignaturePoint = ReturnType<typeof bls.hash>;

/** Returns the point that a round's signature signs: the SHA-256 of its big-endian number, hashed as in RFC 9380. */
function messageOf(hashes: Hashes, round: bigint): SignaturePoint {
  return bls.hash(hashes.sha256(u64(round)), DST);
}

/** Returns the public key of a secret key made by `newBeaconSecret` (32 bytes). */
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

/** Returns whether the bytes are a public key: a point of the right group other than zero. */
export function isBeaconKey(bytes: Uint8Array): boolean {
  if (bytes.length !== BEACON_KEY_BYTES) return false;
  return pointOf(() => G2.Point.fromBytes(bytes)) !== null;
}

/** Returns whether a round's signature is the chain's; false also for malformed bytes. */
export function verifyRound(hashes: Hashes, publicKey: Uint8Array, { round, signature }: BeaconRound): boolean {
  if (signature.length !== ROUND_SIGNATURE_BYTES || !isBeaconKey(publicKey)) return false;
  const point = pointOf(() => G1.Point.fromBytes(signature));
  return point !== null && bls.verify(point, messageOf(hashes, round), publicKey);
}

/**
 * Returns the places of the rounds with an invalid signature. All rounds are checked at once by one random linear
 * combination, which takes two pairings if all are valid. The factors are hashes of everything that is checked, so that
 * no one can choose invalid signatures that cancel out. If the check fails, each half is checked separately.
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

/** Makes a factor of 128 bits, with which an invalid signature passes with a probability of 2^-128. */
function factorOf(bytes: Uint8Array): bigint {
  let factor = 0n;
  for (const byte of bytes.subarray(0, 16)) factor = (factor << 8n) | BigInt(byte);
  return factor === 0n ? 1n : factor;
}

/** Returns the point that `read` decodes; null if it is zero, outside the prime-order group, or if noble throws. */
function pointOf<Point extends { assertValidity(): void; is0(): boolean }>(read: () => Point): Point | null {
  try {
    const point = read();
    point.assertValidity();
    return point.is0() ? null : point;
  } catch {
    return null;
  }
}
