import { nodeHashes } from "@fairtick/domain/node";
import { beforeAll, describe, expect, it } from "vitest";
import { checkPosting, formatBoardLine, formatPosting, type Posting, parsePosting, readBoardLine } from "./board.ts";
import { ED25519_TYPE, signerKey } from "./keys.ts";
import { boardReveal, postingOf } from "./testing-board.ts";
import { acceptanceKey } from "./testing-receipt.ts";
import { makeWorld, POLICY, type TestEntry, type World, witnessKey } from "./testing.ts";
import { START } from "./testing-house.ts";
import { verifyLog } from "./verify-log.ts";

// The house accepted an order and claims that it was never revealed, but the board of a witness has its reveal.

const OTHER = signerKey("stranger.test/witness", ED25519_TYPE, new Uint8Array(32).fill(99));
let world: World;
let posting: Posting;
beforeAll(async () => {
  const orders = [
    { at: 30_130n, sealed: "revealed" },
    { at: 30_130n, direction: "down" },
    { at: 30_130n, sealed: "never" },
  ] as const;
  world = await makeWorld(nodeHashes, orders, { isPunctual: true });
  posting = parsePosting(formatPosting(postingOf(nodeHashes, world.placed[2]!, acceptanceKey)))!;
});

const check = (change: Partial<Posting> = {}) =>
  checkPosting(nodeHashes, POLICY.acceptanceKeys, { ...posting, ...change });

describe("a posting", () => {
  it("opens an order that the house accepted, and has exactly one valid text", () => {
    expect(check()).toBeNull();
    const text = formatPosting(posting);
    expect(parsePosting(text)).toEqual(posting);
    expect(parsePosting(` ${text}`)).toBeNull();
    expect(parsePosting(text.replace('"v":1', '"v":2'))).toBeNull();
    expect(parsePosting("{}")).toBeNull();
  });

  it.each<[string, Partial<Posting>, string]>([
    ["the other direction", { direction: "down" }, "signature"],
    ["a limit price", { limitPrice: 1n }, "signature"],
    ["another nonce of the seal", { sealNonce: new Uint8Array(32) }, "signature"],
    ["another order's private part", { own: new Uint8Array(32) }, "signature"],
    ["another batch", { batch: 2 }, "signature"],
    ["another place", { place: 1 }, "signature"],
    ["a path that leads nowhere", { path: [] }, "signature"],
    ["an invalid signature", { signature: new Uint8Array(64) }, "signature"],
    ["another key", { key: "00000000" }, "unknown-key"],
    ["a place among the refusals", { accepted: 2 }, "refused"],
    ["more orders than a batch can hold", { accepted: 2 ** 40 }, "signature"],
  ])("with %s opens nothing: %s", (_what, change, fault) => {
    expect(check(change)).toBe(fault);
  });
});

describe("a line of a board", () => {
  it("is valid only under its witness's key", () => {
    const line = formatBoardLine(witnessKey, 7, 5n, formatPosting(posting));
    const keys = [OTHER.verifier, witnessKey.verifier];
    expect(readBoardLine(line, keys)).toEqual({ witness: witnessKey.verifier.name, n: 7, at: 5n, posting });
    expect(readBoardLine(line, [OTHER.verifier])).toBeNull();
    expect(readBoardLine(line.replace('\\"at\\":5', '\\"at\\":4'), keys)).toBeNull();
    expect(readBoardLine("{}", keys)).toBeNull();
    expect(readBoardLine("", keys)).toBeNull();
  });
});

describe("a log whose house ignored a reveal", () => {
  /** When the unrevealed order was settled, ms: half a second after the end of the time for revealing. */
  const settledAt = () => {
    const [last = ""] = world.entries
      .filter(({ kind }) => kind === "orders.settle")
      .map(({ text }) => text)
      .slice(-1);
    return BigInt((JSON.parse(last) as { settledAt: number }).settledAt);
  };
  const examine = async (...reveals: Parameters<typeof boardReveal>[]) => {
    const read = reveals.map((reveal) => boardReveal(...reveal));
    const { findings } = await verifyLog(nodeHashes, world, POLICY, null, null, { reveals: read });
    return findings.filter(({ grade }) => grade === "fault").map(({ check: name, what }) => `${name}: ${what}`);
  };

  it("has no fault without a board, or with one that lacks the order", async () => {
    expect(await examine()).toEqual([]);
    const revealed = postingOf(nodeHashes, world.placed[0]!, acceptanceKey);
    expect(await examine([witnessKey, START + 31_000n, revealed])).toEqual([]);
  });

  it("has a fault if a board had the reveal in time", async () => {
    const at = START + 33_000n;
    expect(await examine([witnessKey, at, posting])).toEqual([
      `settlements: order 1/2 counts as unrevealed; the board of ${witnessKey.verifier.name} has its reveal since ${at}`,
    ]);
  });

  it.each([
    ["after the week in which an order can be revealed", () => settledAt() - 499n],
    ["so late that the house could not read it", () => settledAt() - 59_999n],
  ])("has no fault if the reveal came %s", async (_when, at) => {
    expect(await examine([witnessKey, at(), posting])).toEqual([]);
  });

  it("has a fault if the reveal came a minute before the settlement", async () => {
    expect(await examine([witnessKey, settledAt() - 60_000n, posting])).toHaveLength(1);
  });

  it("has no fault if the posting opens another seal", async () => {
    expect(await examine([witnessKey, START + 33_000n, { ...posting, direction: "down" }])).toEqual([]);
  });
});

const dated = (order: object, revealedAt: bigint) => ({ ...order, revealedAt });

describe("a log whose house dates a reveal late", () => {
  const LATE_MS = 90_000n;
  /** A house that names its releases also says why it settles late. */
  const named = { app: "ab".repeat(32), at: START - 90_000n, files: 3n, verifier: "ab".repeat(32) };
  const release: TestEntry = { time: named.at, kind: "release", fields: named };
  /** Writes that the order was revealed that much later, and settles it half a second after that. */
  const dateLate = (entries: TestEntry[]): TestEntry[] =>
    [release, ...entries]
      .map((entry) => (entry.kind === "orders.settle" ? lateSettlement(entry) : entry))
      .toSorted((left, right) => Number(left.time - right.time));
  const lateSettlement = (entry: TestEntry): TestEntry => {
    const revealedAt = BigInt((entry.fields["orders"] as { revealedAt: bigint }[])[0]?.revealedAt ?? 0) + LATE_MS;
    const orders = (entry.fields["orders"] as object[]).map((order) => dated(order, revealedAt));
    const settledAt = revealedAt + 500n;
    return { ...entry, time: settledAt, fields: { ...entry.fields, orders, settledAt } };
  };
  const faultsWith = async (at: bigint | null): Promise<string[]> => {
    const orders = [{ at: 30_130n, sealed: "revealed", durationSeconds: 30 }] as const;
    const late = await makeWorld(nodeHashes, orders, { isPunctual: true, change: dateLate });
    const posted = postingOf(nodeHashes, late.placed[0]!, acceptanceKey);
    const reveals = at === null ? [] : [boardReveal(witnessKey, at, posted)];
    const { findings } = await verifyLog(nodeHashes, late, POLICY, null, null, { reveals });
    return findings.filter(({ grade }) => grade === "fault").map(({ check: name, what }) => `${name}: ${what}`);
  };

  it("has a fault if a board had the reveal more than a minute before, and the settlement waited for it", async () => {
    expect(await faultsWith(START + 31_000n)).toEqual([
      expect.stringMatching(
        /^settlements: order 1\/0 was settled [0-9]+ ms after it was due, and no incident says why$/,
      ),
    ]);
  });

  it("has no fault without a board, or if the board had it less than a minute before", async () => {
    expect(await faultsWith(null)).toEqual([]);
    expect(await faultsWith(START + 31_130n + LATE_MS - 59_000n)).toEqual([]);
  });
});
