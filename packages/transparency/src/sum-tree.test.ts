import { DAY_MS, formatMoney, toHex, utf8, canonicalJson, type MicroUsd } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  sumLeaf,
  type SumLeaf,
  sumNeighbour,
  type SumNode,
  sumParents,
  sumPathRoot,
  type SumStep,
} from "./sum-tree.ts";
import { type LiabilityProof, verifyLiability } from "./verify-liability.ts";
import { POLICY } from "./testing.ts";

const leafOf = (amount: bigint, place: number): SumLeaf => ({
  day: 20_778,
  wallet: "real",
  member: `usr_${place}`,
  amount,
  nonce: new Uint8Array(16).fill(place % 256),
});

interface Tree {
  readonly leaves: readonly SumLeaf[];
  readonly root: SumNode;
  pathOf(place: number): SumStep[];
}

function treeOf(amounts: readonly bigint[]): Tree {
  const leaves = amounts.map(leafOf);
  const levels = [leaves.map((leaf) => sumLeaf(nodeHashes, leaf))];
  while (levels.at(-1)!.length > 1) levels.push(sumParents(nodeHashes, levels.at(-1)!));
  return {
    leaves,
    root: levels.at(-1)![0]!,
    pathOf: (leaf) =>
      levels.flatMap((level, height) => {
        const beside = sumNeighbour(leaf >> height, level.length);
        return beside === null ? [] : [{ side: beside.side, node: level[beside.place]! }];
      }),
  };
}

const amounts = fc.array(fc.bigInt({ min: 1n, max: 10n ** 15n }), { minLength: 1, maxLength: 40 });
const placed = amounts.chain((list) => fc.tuple(fc.constant(list), fc.nat({ max: list.length - 1 })));

/** Returns whether a leaf's path leads to that root. */
function leadsTo(leaf: SumLeaf, path: readonly SumStep[], root: SumNode): boolean {
  const made = sumPathRoot(nodeHashes, leaf, path);
  return made !== null && made.sum === root.sum && toHex(made.hash) === toHex(root.hash);
}

describe("the sum tree", () => {
  it("has the sum of all amounts at its root, and every leaf's path leads there", () => {
    fc.assert(
      fc.property(amounts, (list) => {
        const tree = treeOf(list);
        expect(tree.root.sum).toBe(list.reduce((sum, each) => sum + each, 0n));
        for (const [place, leaf] of tree.leaves.entries()) {
          expect(leadsTo(leaf, tree.pathOf(place), tree.root)).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("rejects another amount, member, day or nonce, and any changed step", () => {
    fc.assert(
      fc.property(placed, fc.nat(), ([list, place], pick) => {
        const tree = treeOf(list);
        const [leaf, path] = [tree.leaves[place]!, tree.pathOf(place)];
        const holds = (bent: Partial<SumLeaf>, steps = path) => leadsTo({ ...leaf, ...bent }, steps, tree.root);
        expect(holds({ amount: leaf.amount - 1n })).toBe(false);
        expect(holds({ amount: -leaf.amount })).toBe(false);
        expect(holds({ member: "usr_other" })).toBe(false);
        expect(holds({ day: leaf.day + 1 })).toBe(false);
        expect(holds({ nonce: new Uint8Array(16).fill(255) })).toBe(false);
        expect(leadsTo(leaf, path, { ...tree.root, sum: tree.root.sum + 1n })).toBe(false);
        if (path.length === 0) return;
        const at = pick % path.length;
        const bend = (change: (step: SumStep) => SumStep) =>
          path.map((step, index) => (index === at ? change(step) : step));
        const other = (side: SumStep["side"]) => (side === "left" ? "right" : "left");
        expect(holds({}, path.toSpliced(at, 1))).toBe(false);
        expect(
          holds(
            {},
            bend(({ side, node }) => ({ side: other(side), node })),
          ),
        ).toBe(false);
        expect(
          holds(
            {},
            bend(({ side, node }) => ({ side, node: { ...node, sum: node.sum - 1n } })),
          ),
        ).toBe(false);
        const flipped = (hash: Uint8Array) => hash.map((byte, index) => (index === pick % 32 ? byte ^ 1 : byte));
        expect(
          holds(
            {},
            bend(({ side, node }) => ({ side, node: { ...node, hash: flipped(node.hash) } })),
          ),
        ).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it("rejects negative sums, so that no neighbour can offset an amount", () => {
    const [mine, theirs] = [leafOf(100n, 0), sumLeaf(nodeHashes, leafOf(50n, 1))];
    const path: SumStep[] = [{ side: "right", node: { ...theirs, sum: -50n } }];
    expect(sumPathRoot(nodeHashes, mine, path)).toBeNull();
    expect(() => sumLeaf(nodeHashes, leafOf(-1n, 0))).toThrow(RangeError);
  });

  it("hashes leaves and parents as specified", () => {
    const leaf = leafOf(5_000_000n, 7);
    const json = '{"amount":5000000,"day":20778,"member":"usr_7","v":1,"wallet":"real"}';
    const bytes = Buffer.concat([Buffer.of(0), leaf.nonce, Buffer.from(json)]);
    const node = sumLeaf(nodeHashes, leaf);
    expect(toHex(node.hash)).toBe(toHex(nodeHashes.sha256(bytes)));
    const u128 = (value: bigint) => Buffer.from(value.toString(16).padStart(32, "0"), "hex");
    const [above] = sumParents(nodeHashes, [node, { ...node, sum: 1n << 70n }]);
    const parent = Buffer.concat([Buffer.of(1), u128(5_000_000n), node.hash, u128(1n << 70n), node.hash]);
    expect(toHex(above!.hash)).toBe(toHex(nodeHashes.sha256(parent)));
  });
});

describe("a liability proof", () => {
  const DAY = new Date(20_778 * Number(DAY_MS)).toISOString().slice(0, 10);
  const tree = treeOf([10_000_000n, 20_000_000n, 30_000_000n]);
  const money = (amount: bigint) => formatMoney(amount as MicroUsd);
  const entry = (sum: bigint, root: Uint8Array) =>
    canonicalJson({
      at: 20_778n * DAY_MS,
      day: 20_778,
      kind: "liabilities",
      members: 3,
      root: toHex(root),
      sum: String(sum),
      v: 1,
      wallet: "real",
    });
  const proof: LiabilityProof = {
    day: DAY,
    leaf: { amount: "20.00", nonce: toHex(tree.leaves[1]!.nonce) },
    path: tree.pathOf(1).map(({ side, node }) => ({ side, sum: money(node.sum), hash: toHex(node.hash) })),
    root: { sum: "60.00", hash: toHex(tree.root.hash) },
    logged: { entry: entry(60_000_000n, tree.root.hash), proof: null },
  };
  const check = (bent: Partial<LiabilityProof>, member = "usr_1") =>
    verifyLiability(nodeHashes, { ...proof, ...bent }, member, POLICY);

  it("is pending while its entry is in no checkpoint or not in the log", () => {
    expect(check({})).toEqual({ state: "pending", why: "not in a checkpoint yet" });
    expect(check({ logged: null })).toEqual({ state: "pending", why: "not in the log yet" });
  });

  it.each<[string, Partial<LiabilityProof>, string?]>([
    ["another member's leaf", {}, "usr_2"],
    ["another day", { day: "2026-01-01" }],
    ["no day", { day: "soon" }],
    ["another amount", { leaf: { ...proof.leaf, amount: "19.00" } }],
    ["no nonce", { leaf: { ...proof.leaf, nonce: "00" } }],
    ["a sum below zero", { path: proof.path.map((step) => Object.assign({}, step, { sum: "-1.00" })) }],
    ["a path cut short", { path: proof.path.slice(1) }],
    ["another root", { root: { ...proof.root, sum: "61.00" } }],
    ["another sum in the log", { logged: { entry: entry(50_000_000n, tree.root.hash), proof: null } }],
    ["another root in the log", { logged: { entry: entry(60_000_000n, utf8("x".repeat(32))), proof: null } }],
    ["no proof of the entry", { logged: { entry: entry(60_000_000n, tree.root.hash), proof: "none" } }],
  ])("fails with %s", (_, bent, member) => {
    expect(check(bent, member).state).toBe("failed");
  });
});
