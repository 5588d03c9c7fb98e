import { beaconRoundAt, beaconRoundTime, fromHex, type Instant, toHex } from "@fairtick/domain";
import { nodeHashes as hashes } from "@fairtick/domain/node";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { describe, expect, it } from "vitest";
import {
  beaconPublicKey,
  type BeaconRound,
  isBeaconKey,
  newBeaconSecret,
  chainFault,
  signRound,
  verifyRound,
  wrongRounds,
} from "./beacon.ts";

const hex = (text: string): Uint8Array => fromHex(text)!;

/** drand's public chain quicknet, from its `/info`, and rounds that it signed. */
const QUICKNET = {
  genesis: 1_692_803_367n,
  period: 3n,
  publicKey: hex(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451" +
      "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
  ),
};
const REAL: readonly BeaconRound[] = (
  [
    [1_000n, "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"],
    [657_413n, "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"],
    [5_928_395n, "a5d07c0071b4e386b3ae09206522253c68fefe8490ad59ecc44a7dd0d0745be91da5779e2247a82403fbc0cb9a34cb61"],
    [12_040_883n, "929906c959032ab363c9f26570d215d66f5c06cb0c44fe508c12bb5839f04ec895bb6868e5b9ff13ab289bdb5266b394"],
  ] as const
).map(([round, signature]) => ({ round, signature: hex(signature) }));

const secret = newBeaconSecret(new Uint8Array(48).fill(0x42));
const publicKey = beaconPublicKey(secret);
const own = Array.from({ length: 201 }, (_, place): BeaconRound => {
  const round = BigInt(place) + 77n;
  return { round, signature: signRound(hashes, secret, round) };
});

describe("rounds of drand's public chain", () => {
  it.each(REAL)("verifies round $round, but not with another number, byte or key", ({ round, signature }) => {
    expect(verifyRound(hashes, QUICKNET.publicKey, { round, signature })).toBe(true);
    expect(verifyRound(hashes, QUICKNET.publicKey, { round: round + 1n, signature })).toBe(false);
    const bent = Uint8Array.from(signature, (byte, place) => (place === 20 ? byte ^ 1 : byte));
    expect(verifyRound(hashes, QUICKNET.publicKey, { round, signature: bent })).toBe(false);
    expect(verifyRound(hashes, publicKey, { round, signature })).toBe(false);
  });

  it("verifies all of them at once", () => {
    expect(wrongRounds(hashes, QUICKNET.publicKey, REAL)).toEqual([]);
  });

  it("has a round every three seconds from the genesis on", () => {
    expect(beaconRoundTime(QUICKNET, 1n)).toBe(1_692_803_367_000n);
    expect(beaconRoundAt(QUICKNET, 1_692_803_366_999n as Instant)).toBe(0n);
    expect(beaconRoundAt(QUICKNET, 1_692_803_367_000n as Instant)).toBe(1n);
    expect(beaconRoundAt(QUICKNET, 1_692_803_369_999n as Instant)).toBe(1n);
    expect(beaconRoundAt(QUICKNET, 1_692_803_370_000n as Instant)).toBe(2n);
  });
});

describe("rounds of our own chain", () => {
  it("are valid one by one, and an epoch's rounds at once", () => {
    expect(own.slice(0, 3).every((one) => verifyRound(hashes, publicKey, one))).toBe(true);
    expect(wrongRounds(hashes, publicKey, own)).toEqual([]);
    expect(toHex(signRound(hashes, secret, 77n))).toBe(toHex(own[0]!.signature));
  });

  it("are found by place when invalid, even two whose errors cancel out in a plain sum", () => {
    const { Point } = bls12_381.G1;
    const few = own.slice(0, 6);
    const shift = (at: number, by: typeof Point.BASE) => Point.fromBytes(few[at]!.signature).add(by).toBytes();
    const bent = few.map((one, place) => {
      if (place === 1) return { ...one, signature: shift(1, Point.BASE) };
      return place === 4 ? { ...one, signature: shift(4, Point.BASE.negate()) } : one;
    });
    expect(wrongRounds(hashes, publicKey, bent)).toEqual([1, 4]);
    const swapped = [
      { ...few[0]!, signature: few[1]!.signature },
      { ...few[1]!, signature: few[0]!.signature },
    ];
    expect(wrongRounds(hashes, publicKey, swapped)).toEqual([0, 1]);
  });

  it("are invalid if a signature or the key is no point of the group", () => {
    const infinity = new Uint8Array(48);
    infinity[0] = 0xc0;
    const { Point } = bls12_381.G1;
    // A point on the curve but outside the group of prime order: y² = x³ + 4 has one at x = 4.
    const outside = Uint8Array.from([0x80, ...new Uint8Array(46), 4]);
    expect(Point.fromHex(toHex(own[0]!.signature)).isTorsionFree()).toBe(true);
    for (const signature of [infinity, outside, new Uint8Array(48).fill(0xff), new Uint8Array(47)]) {
      expect(verifyRound(hashes, publicKey, { round: 77n, signature })).toBe(false);
      expect(wrongRounds(hashes, publicKey, [own[0]!, { round: 78n, signature }])).toEqual([1]);
    }
    const zeroKey = new Uint8Array(96);
    zeroKey[0] = 0xc0;
    expect([isBeaconKey(zeroKey), isBeaconKey(new Uint8Array(96)), isBeaconKey(publicKey)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(wrongRounds(hashes, zeroKey, own.slice(0, 2))).toEqual([0, 1]);
  });
});

it("refuses rounds that the house says are due at other times than a path can wait for", () => {
  expect(chainFault({ genesis: 0n, period: 3n, publicKey })).toBeNull();
  expect(chainFault({ genesis: 0n, period: 4n, publicKey })).toMatch(/4 s apart/);
  expect(chainFault(QUICKNET)).toBeNull();
  expect(chainFault({ ...QUICKNET, genesis: QUICKNET.genesis + 2_400n })).toMatch(/quicknet/);
  expect(chainFault({ ...QUICKNET, period: 1n })).toMatch(/quicknet/);
});
