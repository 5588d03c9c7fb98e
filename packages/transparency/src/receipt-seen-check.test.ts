import { toHex } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { expect, it } from "vitest";
import { parseReceipt } from "./receipt.ts";
import { makeWorld, POLICY, type WorldOptions } from "./testing.ts";
import type { TestOrder } from "./testing-house.ts";
import { verifyReceipt } from "./verify-receipt.ts";

// A house that holds a wish back chooses the moment at which it takes it.

type Slots = Record<string, unknown> & { readonly seen?: Record<string, unknown> };
type Shown = Record<string, unknown> & { readonly slots: Slots };

async function judge(
  change: (receipt: Shown) => Record<string, unknown>,
  order: Partial<TestOrder> = {},
  options: WorldOptions = {},
) {
  const world = await makeWorld(nodeHashes, [{ at: 30_130n, sealed: "revealed", ...order }], options);
  const parsed = parseReceipt(change((await world.receipt(0)) as Shown));
  if (!parsed.ok) throw new Error(parsed.fault);
  const checks = verifyReceipt(nodeHashes, parsed.receipt, POLICY);
  const seen = checks.find(({ id }) => id === "seen");
  const others = checks.filter(({ id, state }) => id !== "seen" && state !== "ok").map(({ id }) => id);
  return { state: seen?.state, why: seen?.why, others };
}

const same = (receipt: Shown) => receipt;
const withSeen = (change: Record<string, unknown>) => (receipt: Shown) => ({
  ...receipt,
  slots: { ...receipt.slots, seen: { ...receipt.slots.seen, ...change } },
});

it("passes for an order accepted at once, revealed or not", async () => {
  const honest = { state: "ok", why: undefined, others: [] };
  expect(await judge(same)).toEqual(honest);
  expect(await judge(same, { sealed: "never" })).toEqual(honest);
});

// Ticks come every half second, so the order is placed 130 ms after one.
it.each([
  [2_600n, "ok", undefined],
  [3_000n, "failed", "accepted 3130 ms after what the device had seen"],
  [9_000n, "failed", "accepted 9130 ms after what the device had seen"],
])("judges an order whose device had seen nothing for %i ms", async (seenBefore, state, why) => {
  expect(await judge(same, { seenBefore })).toEqual({ state, why, others: [] });
});

it("passes exactly 3,000 ms after the newest price of what the device had seen, and fails 1 ms later", async () => {
  expect(await judge(same, { at: 30_000n, seenBefore: 3_000n })).toMatchObject({ state: "ok" });
  expect(await judge(same, { at: 30_001n, seenBefore: 3_001n })).toMatchObject({ state: "failed" });
});

// An outside source signs nothing, so the house can date another symbol's prices as it likes.
const outside: WorldOptions = { symbols: ["EURUSD", "XAUUSD"], sources: { XAUUSD: [[-50_000n, "kraken"]] } };

it.each([2_000n, 9_000n, 25_000n])(
  "counts from the order's own symbol if another one is dated %i ms ahead",
  async (ms) => {
    const ahead = { ...outside, datedAhead: { XAUUSD: ms } };
    expect(await judge(same, {}, ahead)).toMatchObject({ state: "ok" });
    expect(await judge(same, { at: 30_000n, seenBefore: 3_000n }, ahead)).toMatchObject({ state: "ok" });
    expect(await judge(same, { at: 30_001n, seenBefore: 3_001n }, ahead)).toMatchObject({
      state: "failed",
      why: "accepted 3001 ms after what the device had seen",
    });
  },
);

it("counts from the slot's newest price if it has none of the order's symbol", async () => {
  const sparse: WorldOptions = { ...outside, skip: (symbol, after) => symbol === "XAUUSD" && after % 2_000n !== 0n };
  const gold = { symbol: "XAUUSD", at: 31_130n } as const;
  expect(await judge(same, gold, sparse)).toMatchObject({ state: "ok" });
  expect(await judge(same, { ...gold, seenBefore: 2_600n }, sparse)).toMatchObject({ state: "ok" });
  expect(await judge(same, { ...gold, seenBefore: 3_000n }, sparse)).toMatchObject({
    state: "failed",
    why: "accepted 3130 ms after what the device had seen",
  });
});

it("fails without the slot, which a house could leave out otherwise", async () => {
  const without = ({ slots: { seen: _left, ...slots }, ...receipt }: Shown) => ({ ...receipt, slots });
  expect(await judge(without)).toEqual({
    state: "failed",
    why: "the slot that the device had seen is not shown",
    others: [],
  });
});

it.each([
  ["another slot's number", { k: 7 }, "the device had seen another slot"],
  ["another head", { hash: toHex(new Uint8Array(32)) }, "the device had seen another slot"],
  ["other prices", { lines: "EURUSD,1,1763700030000,1084772" }, /^the head of slot \d+ is another$/],
  [
    "a broken signature",
    { signature: Buffer.alloc(64).toString("base64") },
    /^the signature of slot \d+ does not hold$/,
  ],
])("fails with %s", async (_what, change, why) => {
  const found = await judge(withSeen(change));
  expect(found.state).toBe("failed");
  expect(found.why).toMatch(why);
});

it("fails with a seen slot of an order that was placed in the open", async () => {
  const world = await makeWorld(nodeHashes, [{ at: 30_130n, sealed: "revealed" }]);
  const { slots } = (await world.receipt(0)) as Shown;
  const opened = await makeWorld(nodeHashes, [{ at: 30_130n }]);
  const honest = (await opened.receipt(0)) as Shown;
  const find = (receipt: Record<string, unknown>) => {
    const parsed = parseReceipt(receipt);
    if (!parsed.ok) throw new Error(parsed.fault);
    return verifyReceipt(nodeHashes, parsed.receipt, POLICY).find(({ id }) => id === "seen");
  };
  expect(find(honest)).toMatchObject({ state: "ok" });
  const shown = { ...honest, slots: { ...honest.slots, seen: slots.seen } };
  expect(find(shown)).toMatchObject({ state: "failed", why: "it was never sealed" });
});

it("has a head that must be in the log, too", async () => {
  const world = await makeWorld(nodeHashes, [{ at: 59_930n, sealed: "revealed" }]);
  const receipt = (await world.receipt(0)) as Shown;
  // Of the minute before that of the order's other slots.
  const logged = (receipt.slots["logged"] as { readonly entry: string }[]).filter(
    ({ entry }) => !entry.includes('"from":1,'),
  );
  const parsed = parseReceipt({ ...receipt, slots: { ...receipt.slots, logged } });
  if (!parsed.ok) throw new Error(parsed.fault);
  const heads = verifyReceipt(nodeHashes, parsed.receipt, POLICY).find(({ id }) => id === "heads-in-log");
  expect(heads?.state).toBe("failed");
  expect(heads?.why).toContain("overdue");
});
