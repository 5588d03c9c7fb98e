import { fromHex, toHex } from "@fairtick/domain";
import { describe, expect, it } from "vitest";
import {
  isInPythTree,
  isSure,
  openVaa,
  parsePythPrice,
  parsePythUpdate,
  pythPoints,
  type PythSigners,
} from "./pyth-update.ts";
import {
  PYTH_EMITTER,
  pythMessage,
  pythTree,
  pythUpdateHex,
  signVaa,
  testGuardians,
  type TestVaa,
} from "./testing-pyth.ts";
import { GUARDIAN_SET_4, REAL_UPDATE } from "./testing-pyth-real.ts";

const BTC = "e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43";
const bytes = (hex: string) => fromHex(hex)!;

describe("a real update of 2024", () => {
  const signers: PythSigners = {
    set: 4,
    guardians: GUARDIAN_SET_4.map(bytes),
    quorum: 13,
    chain: 26,
    emitter: PYTH_EMITTER,
  };
  const update = parsePythUpdate(bytes(REAL_UPDATE))!;

  it("is signed by thirteen of the nineteen guardians of its time, and has Pyth's published price", () => {
    const opened = openVaa(update.vaa, signers);
    expect(opened).toMatchObject({ ok: true, signed: { slot: 173_357_632n } });
    expect(opened.ok && toHex(opened.signed.root)).toBe("196f5b7717e9ea3f80d9b8b7ed5260a20ba8320f");
    expect(update.leaves).toHaveLength(1);
    expect(opened.ok && isInPythTree(update.leaves[0]!, opened.signed.root)).toBe(true);
    const price = parsePythPrice(update.leaves[0]!.message)!;
    expect(price).toEqual({
      id: BTC,
      price: 6_694_292_072_563n,
      conf: 6_737_627_122n,
      expo: -8,
      publishTime: 1_729_766_814n,
    });
    expect(pythPoints(price, 2)).toBe(6_694_292n);
    expect(pythPoints(price, 3)).toBe(66_942_921n);
    expect([isSure(price, 1_007n), isSure(price, 1_006n)]).toEqual([true, false]);
  });

  it("is invalid with any byte changed", () => {
    const whole = bytes(REAL_UPDATE);
    const held: number[] = [];
    for (let at = 0; at < whole.length; at += 23) {
      const bent = Uint8Array.from(whole);
      bent[at] = (bent[at] ?? 0) ^ 1;
      const read = parsePythUpdate(bent);
      const opened = read === null ? null : openVaa(read.vaa, signers);
      if (read !== null && opened?.ok && read.leaves.every((leaf) => isInPythTree(leaf, opened.signed.root)))
        held.push(at);
    }
    expect(held).toEqual([]);
    for (const length of [0, 3, 9, 400, whole.length - 1])
      expect(parsePythUpdate(whole.subarray(0, length))).toBeNull();
    expect(parsePythUpdate(Uint8Array.of(...whole, 0))).toBeNull();
  });

  it("is invalid for another set, other guardians, a higher quorum or another chain", () => {
    expect(openVaa(update.vaa, { ...signers, set: 5 })).toEqual({ ok: false, fault: "otherSet" });
    const turned = { ...signers, guardians: signers.guardians.toReversed() };
    expect(openVaa(update.vaa, turned)).toEqual({ ok: false, fault: "wrongSigner" });
    expect(openVaa(update.vaa, { ...signers, quorum: 14 })).toEqual({ ok: false, fault: "fewSigners" });
    expect(openVaa(update.vaa, { ...signers, chain: 1 })).toEqual({ ok: false, fault: "otherEmitter" });
  });
});

describe("an update of our own guardians", () => {
  const house = testGuardians(5, 3);
  const prices = [97_000n, 97_001n, 97_002n, 97_003n, 97_004n].map((price) =>
    pythMessage({ id: BTC, price: price * 100_000_000n, publishTime: 1_763_700_000n }),
  );
  const { root, leaves } = pythTree(prices);
  const open = (vaa: Partial<TestVaa>) => openVaa(signVaa(house, { slot: 5n, root, ...vaa }), house.signers);

  it("is valid with any quorum of guardians, and has every message in its tree", () => {
    for (const who of [
      [0, 1, 2],
      [0, 2, 4],
      [0, 1, 2, 3, 4],
    ])
      expect(open({ who }).ok).toBe(true);
    const read = parsePythUpdate(bytes(pythUpdateHex(signVaa(house, { slot: 5n, root }), leaves)))!;
    expect(read.leaves.map((leaf) => isInPythTree(leaf, root))).toEqual([true, true, true, true, true]);
    const [first, second] = read.leaves;
    expect(isInPythTree({ message: first!.message, branch: second!.branch }, root)).toBe(false);
    expect(isInPythTree({ message: first!.message, branch: first!.branch.subarray(1) }, root)).toBe(false);
  });

  it.each<[string, Partial<TestVaa>, string]>([
    ["too few signatures", { who: [0, 1] }, "fewSigners"],
    ["no signatures", { who: [] }, "fewSigners"],
    ["one guardian twice", { who: [0, 1, 1] }, "sameSigner"],
    ["guardians out of order", { who: [2, 1, 0] }, "sameSigner"],
    ["a stranger's key", { keyOf: () => 9 }, "wrongSigner"],
    ["one guardian's key for all", { keyOf: () => 0 }, "wrongSigner"],
    ["a guardian that isn't in the set", { who: [0, 1, 9] }, "wrongSigner"],
    ["another set", { set: 8 }, "otherSet"],
    ["another chain", { chain: 1 }, "otherEmitter"],
    ["another emitter", { emitter: new Uint8Array(32).fill(1) }, "otherEmitter"],
  ])("is invalid with %s", (_what, vaa, fault) => {
    expect(open(vaa)).toEqual({ ok: false, fault });
  });

  it("has a price only above zero, rounded half to even", () => {
    const points = (price: bigint, expo: number, places: number) =>
      pythPoints(parsePythPrice(pythMessage({ id: BTC, price, expo, publishTime: 1n }))!, places);
    expect(points(12_345n, -3, 2)).toBe(1_234n);
    expect(points(12_355n, -3, 2)).toBe(1_236n);
    expect(points(12_345n, -3, 6)).toBe(12_345_000n);
    expect(points(12n, 2, 2)).toBe(120_000n);
    expect([points(0n, -3, 2), points(-5n, -3, 2), points(4n, -3, 2), points(1n, 400, 2)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
