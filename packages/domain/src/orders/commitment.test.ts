import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { toHex, utf8 } from "../log/bytes.ts";
import { canonicalJson } from "../log/canonical-json.ts";
import {
  batchCommitments,
  batchRoot,
  formerBatchRoot,
  formerOrderCommitment,
  formerOrderJson,
  orderCommitment,
  privateHash,
  privateJson,
  refusalCommitment,
  refusalJson,
  termsHash,
  termsJson,
  termsOf,
} from "./commitment.ts";
import type { ClientId, DeviceId, MemberId, OrderId } from "../base/ids.ts";
import { merkleLeaf, merkleNode, merkleRoot, merkleTree, merkleTreeOfHashes, verifyMerklePath } from "../log/merkle.ts";
import type { MicroUsd, Rate } from "../money/money.ts";
import { nodeHashes } from "../log/node-hashes.ts";
import type { ProposedOrder } from "./placement.ts";
import type { Points } from "../market/price.ts";
import type { Instant } from "../base/time.ts";

const order: ProposedOrder = {
  orderId: 5n as OrderId,
  memberId: 9n as MemberId,
  clientOrderId: "client-1" as ClientId,
  wallet: "practice",
  symbol: "EURUSD",
  direction: "up",
  sealed: null,
  stake: 10_000_000n as MicroUsd,
  fee: 100_000n as MicroUsd,
  payoutRate: 850_000n as Rate,
  profitIfWon: 8_400_000n as MicroUsd,
  limitPrice: null,
  durationSeconds: 60,
  configVersion: 1,
};

const sealed: ProposedOrder = {
  ...order,
  direction: null,
  sealed: {
    seal: new Uint8Array(32).fill(0xaa),
    deviceId: 3n as DeviceId,
    seenSlot: 77n,
    seenHash: new Uint8Array(32).fill(0xbb),
    signature: new Uint8Array(64).fill(0xcc),
  },
};
const nonces = Uint8Array.from({ length: 96 }, (_, index) => index);
const sha256 = (...parts: readonly (string | Uint8Array)[]) =>
  nodeHashes.sha256(Buffer.concat(parts.map((part) => Buffer.from(part))));

describe("an order's terms", () => {
  it("are canonical JSON, with the direction of an open order or the seal of a sealed one", () => {
    expect(termsJson(termsOf(order))).toBe(
      '{"direction":"up","duration":60,"limitPrice":null,"symbol":"EURUSD","v":2}',
    );
    expect(termsJson(termsOf({ ...order, limitPrice: 7n as Points }))).toContain('"limitPrice":7,');
    const terms = termsJson(termsOf(sealed));
    expect(terms).toBe(`{"duration":60,"seal":"${"aa".repeat(32)}","symbol":"EURUSD","v":2}`);
    for (const each of [sealed, order])
      expect(canonicalJson(JSON.parse(termsJson(termsOf(each))))).toBe(termsJson(termsOf(each)));
  });

  it("reveal nothing about a sealed order's choice, and neither does its private part", () => {
    const told = termsJson(termsOf(sealed)) + privateJson(sealed);
    expect(told).not.toMatch(/up|down|limit/);
  });
});

describe("an order's private part", () => {
  it("is canonical JSON with the device's signature, null if nothing was sealed", () => {
    expect(privateJson(order)).toBe(
      '{"clientOrderId":"client-1","configVersion":1,"device":null,"fee":100000,"member":"usr_0000000000009",' +
        '"orderNo":"ord_0000000000005","payoutRate":850000,"profit":8400000,"seenHash":null,"seenSlot":null,' +
        '"signature":null,"stake":10000000,"v":2,"wallet":"practice"}',
    );
    const text = privateJson(sealed);
    expect(canonicalJson(JSON.parse(text))).toBe(text);
    expect(text).toContain(`"device":"dev_0000000000003"`);
    expect(text).toContain(`"seenHash":"${"bb".repeat(32)}","seenSlot":77,"signature":"${"cc".repeat(64)}"`);
  });

  it("is the wish with the reason if it was refused", () => {
    const text = refusalJson(sealed, "EXPOSURE_LIMIT");
    expect(canonicalJson(JSON.parse(text))).toBe(text);
    expect(JSON.parse(text)).toMatchObject({ reason: "EXPOSURE_LIMIT", stake: 10_000_000, seenSlot: 77, v: 2 });
    expect(text).not.toContain("orderNo");
  });
});

describe("commitments", () => {
  it("combine both parts of an order or refusal, each with its own nonce", () => {
    const refused = { wish: sealed, reason: "LATE" };
    const together = batchCommitments(nodeHashes, nonces, [order, sealed], [refused]);
    const nonce = (place: number, part: 0 | 1) => nonces.subarray(place * 32 + part * 16, place * 32 + part * 16 + 16);
    const parts = (place: number, terms: string, own: string) => [
      sha256("TERMS2\0", nonce(place, 0), terms),
      sha256("PRIVATE2\0", nonce(place, 1), own),
    ];
    const [first, second, third] = [
      parts(0, termsJson(termsOf(order)), privateJson(order)),
      parts(1, termsJson(termsOf(sealed)), privateJson(sealed)),
      parts(2, termsJson(termsOf(sealed)), refusalJson(sealed, "LATE")),
    ];
    expect(toHex(together)).toBe(
      [sha256("ORD2\0", ...first), sha256("ORD2\0", ...second), sha256("REFUSAL2\0", ...third)].map(toHex).join(""),
    );
    const [terms, own] = [
      termsHash(nodeHashes, nonce(1, 0), termsJson(termsOf(sealed))),
      privateHash(nodeHashes, nonce(1, 1), privateJson(sealed)),
    ];
    expect(toHex(orderCommitment(nodeHashes, terms, own))).toBe(toHex(together.subarray(32, 64)));
    expect(toHex(refusalCommitment(nodeHashes, terms, own))).not.toBe(toHex(together.subarray(32, 64)));
    const [tree, same] = [
      merkleTreeOfHashes(nodeHashes, together),
      merkleTree(
        nodeHashes,
        [0, 1, 2].map((place) => together.subarray(place * 32, place * 32 + 32)),
      ),
    ];
    expect(toHex(tree.root)).toBe(toHex(same.root));
    expect(tree.pathOf(1).map(toHex)).toEqual(same.pathOf(1).map(toHex));
  });

  it("refuse an order that is too long to be valid", () => {
    const long = { ...order, symbol: "E".repeat(1_000) };
    expect(() => batchCommitments(nodeHashes, new Uint8Array(32), [long])).toThrow(RangeError);
  });

  it("form a batch root with the batch's number, time and count of accepted orders", () => {
    const root = new Uint8Array(32).fill(0xab);
    const head = Buffer.from(`${"0".repeat(15)}3${"0".repeat(14)}10${"0".repeat(7)}2`, "hex");
    expect(toHex(batchRoot(nodeHashes, 3n, 16n as Instant, 2, root))).toBe(toHex(sha256("BATCH2\0", head, root)));
  });

  it("hash the whole order at once for orders from before sealed orders", () => {
    const json = formerOrderJson({ ...order, limitPrice: 7n as Points });
    expect(canonicalJson(JSON.parse(json))).toBe(json);
    expect(JSON.parse(json)).toMatchObject({ direction: "up", limitPrice: 7, v: 1, orderNo: "ord_0000000000005" });
    const nonce = nonces.subarray(0, 16);
    expect(toHex(formerOrderCommitment(nodeHashes, nonce, json))).toBe(toHex(sha256("ORD1\0", nonce, json)));
    const head = Buffer.from(`${"0".repeat(15)}3${"0".repeat(14)}10`, "hex");
    const root = new Uint8Array(32).fill(0xab);
    expect(toHex(formerBatchRoot(nodeHashes, 3n, 16n as Instant, root))).toBe(toHex(sha256("BATCH1\0", head, root)));
  });
});

describe("canonical JSON", () => {
  it.each([
    [{ b: 1n, a: [null, true, "ü\n"] }, '{"a":[null,true,"ü\\n"],"b":1}'],
    [12345678901234567890n, "12345678901234567890"],
    [-0, "0"],
    [{}, "{}"],
  ])("writes row %# in its only form", (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it.each([0.5, Number.NaN, Infinity, 2 ** 53])("refuses %d", (value) => {
    expect(() => canonicalJson(value)).toThrow(RangeError);
  });
});

describe("Merkle trees of RFC 6962", () => {
  // Inputs and roots from the tests of the reference implementation (google/certificate-transparency).
  const inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
  const entries = inputs.map((hex) => new Uint8Array(Buffer.from(hex, "hex")));
  it.each([
    [0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    [1, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"],
    [2, "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"],
    [3, "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"],
    [7, "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"],
    [8, "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"],
  ])("has the reference root for %i entries", (size, root) => {
    expect(toHex(merkleRoot(nodeHashes, entries.slice(0, size)))).toBe(root);
  });

  function split(leaves: readonly Uint8Array[]): Uint8Array {
    if (leaves.length === 1) return merkleLeaf(nodeHashes, leaves[0]!);
    let k = 1;
    while (k * 2 < leaves.length) k *= 2;
    return merkleNode(nodeHashes, split(leaves.slice(0, k)), split(leaves.slice(k)));
  }

  it("splits at the largest power of two, and every path proves only its own place", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(), fc.nat(), (size, pick, other) => {
        const list = Array.from({ length: size }, (_, index) => utf8(`entry ${index}`));
        const tree = merkleTree(nodeHashes, list);
        expect(toHex(tree.root)).toBe(toHex(split(list)));
        const index = pick % size;
        const proof = { entry: list[index]!, index, size, path: tree.pathOf(index), root: tree.root };
        expect(verifyMerklePath(nodeHashes, proof)).toBe(true);
        const wrong = other % size;
        expect(verifyMerklePath(nodeHashes, { ...proof, index: wrong })).toBe(wrong === index);
        expect(verifyMerklePath(nodeHashes, { ...proof, entry: utf8("forged") })).toBe(false);
        expect(verifyMerklePath(nodeHashes, { ...proof, path: [...proof.path, tree.root] })).toBe(false);
        expect(verifyMerklePath(nodeHashes, { ...proof, index: size })).toBe(false);
      }),
    );
  });
});
