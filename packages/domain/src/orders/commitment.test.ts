import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { toHex, utf8 } from "../log/bytes.ts";
import { canonicalJson } from "../log/canonical-json.ts";
import { batchRoot, orderCommitment, orderCommitments, orderJson } from "./commitment.ts";
import type { ClientId, MemberId, OrderId } from "../base/ids.ts";
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
  stake: 10_000_000n as MicroUsd,
  fee: 100_000n as MicroUsd,
  payoutRate: 850_000n as Rate,
  profitIfWon: 8_400_000n as MicroUsd,
  limitPrice: null,
  durationSeconds: 60,
  configVersion: 1,
};

describe("the order's JSON", () => {
  it("is canonical: sorted keys, integers, null for no limit price", () => {
    expect(orderJson(order)).toBe(
      '{"clientOrderId":"client-1","configVersion":1,"direction":"up","duration":60,"fee":100000,"limitPrice":null,' +
        '"member":"usr_0000000000009","orderNo":"ord_0000000000005","payoutRate":850000,"profit":8400000,' +
        '"stake":10000000,"symbol":"EURUSD","v":1,"wallet":"practice"}',
    );
    const { orderId, memberId, profitIfWon, durationSeconds, ...rest } = { ...order, limitPrice: 7n as Points };
    expect([orderId, memberId]).toEqual([5n, 9n]);
    expect(orderJson({ ...order, limitPrice: 7n as Points })).toBe(
      canonicalJson({
        ...rest,
        member: "usr_0000000000009",
        orderNo: "ord_0000000000005",
        profit: profitIfWon,
        duration: durationSeconds,
        v: 1,
      }),
    );
  });

  it("is committed to with a nonce, as SHA-256 of ORD1, nonce and JSON", () => {
    const nonce = new Uint8Array(32).fill(7);
    const expected = nodeHashes.sha256(Buffer.concat([Buffer.from("ORD1\0"), nonce, Buffer.from(orderJson(order))]));
    expect(toHex(orderCommitment(nodeHashes, nonce, orderJson(order)))).toBe(toHex(expected));
  });

  it("is committed to in a batch as it is alone", () => {
    const orders = [
      order,
      { ...order, orderId: 6n as OrderId, limitPrice: 7n as Points, stake: (2n ** 62n) as MicroUsd },
    ];
    const nonces = Uint8Array.from({ length: 32 }, (_, index) => index);
    const alone = orders.map((each, place) =>
      orderCommitment(nodeHashes, nonces.subarray(place * 16, place * 16 + 16), orderJson(each)),
    );
    const together = orderCommitments(nodeHashes, nonces, orders);
    expect(toHex(together)).toBe(alone.map(toHex).join(""));
    const [tree, same] = [merkleTreeOfHashes(nodeHashes, together), merkleTree(nodeHashes, alone)];
    expect(toHex(tree.root)).toBe(toHex(same.root));
    expect(tree.pathOf(1).map(toHex)).toEqual(same.pathOf(1).map(toHex));
  });

  it("is refused in a batch where it is too long to be an order", () => {
    const long = { ...order, symbol: "E".repeat(1_000) };
    expect(() => orderCommitments(nodeHashes, new Uint8Array(16), [long])).toThrow(RangeError);
  });

  it("joins its batch under number and time", () => {
    const preimage = Buffer.from(
      `${Buffer.from("BATCH1\0").toString("hex")}${"0".repeat(15)}3${"0".repeat(14)}10${"ab".repeat(32)}`,
      "hex",
    );
    expect(toHex(batchRoot(nodeHashes, 3n, 16n as Instant, new Uint8Array(32).fill(0xab)))).toBe(
      toHex(nodeHashes.sha256(preimage)),
    );
  });
});

describe("canonical JSON", () => {
  it.each([
    [{ b: 1n, a: [null, true, "ü\n"] }, '{"a":[null,true,"ü\\n"],"b":1}'],
    [12345678901234567890n, "12345678901234567890"],
    [-0, "0"],
    [{}, "{}"],
  ])("writes row %# as its one text", (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it.each([0.5, Number.NaN, Infinity, 2 ** 53])("refuses %d", (value) => {
    expect(() => canonicalJson(value)).toThrow(RangeError);
  });
});

describe("Merkle trees of RFC 6962", () => {
  // Inputs and roots of the reference implementation's tests (google/certificate-transparency).
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

  it("splits at the largest power of two, and every path proves its own place alone", () => {
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
