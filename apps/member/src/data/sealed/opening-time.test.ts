import { expect, it } from "vitest";
import { newestHead, newestHeadWith, takeHead } from "./heads.ts";
import { isFixed, mayOpen, opensAfter } from "./opening-time.ts";

let slots = 0;

/** Brings a head with one price and returns it. */
function bring(symbol: string, at: number) {
  slots += 1;
  const head = { k: slots, hash: "ab".repeat(32), signature: null };
  takeHead({ t: "ticks", now: at, d: [[symbol, slots, at, "1.08500"]], head });
  return newestHead()!;
}

const NOW = 5_000_000;

it("an order is fixed by a price of its own symbol after its acceptance, since that is its entry", () => {
  const order = { symbol: "EURUSD", acceptedAt: 100_000 };
  expect(isFixed(order, bring("EURUSD", 99_500), NOW)).toBe(false);
  expect(isFixed(order, bring("EURUSD", 100_000), NOW)).toBe(false);
  const other = bring("BTCUSD", 100_500);
  expect(isFixed(order, other, NOW)).toBe(false);
  // What an older version stored has no symbol.
  expect(isFixed({ acceptedAt: 100_000 }, other, NOW)).toBe(true);
  expect(isFixed(order, bring("EURUSD", 100_501), NOW)).toBe(true);
});

it("an order without a price in its entry window is void, so waiting longer is of no use", () => {
  const order = { symbol: "GBPUSD", acceptedAt: 200_000 };
  expect(isFixed(order, bring("BTCUSD", 210_000), NOW)).toBe(false);
  expect(isFixed(order, bring("BTCUSD", 210_001), NOW)).toBe(true);
});

it("a head dated ahead opens nothing before that time has passed by the device's own clock", () => {
  const order = { symbol: "USDJPY", acceptedAt: 300_000, placedAt: NOW };
  const untilEnd = { durationSeconds: 60, expiresAt: 360_500 };
  bring("USDJPY", 300_500);
  const ahead = bring("ZZZ", 900_000);
  // Ten seconds without a price of its own would make it void, but they haven't passed.
  expect(isFixed({ ...order, symbol: "AUDUSD" }, ahead, NOW + 9_999)).toBe(false);
  expect(isFixed({ ...order, symbol: "AUDUSD" }, ahead, NOW + 10_000)).toBe(true);
  expect(isFixed(order, ahead, NOW + 600)).toBe(true);
  expect(mayOpen({ ...order, untilEnd }, ahead, NOW + 600)).toBe(false);
  const own = bring("USDJPY", 900_500);
  expect(mayOpen({ ...order, untilEnd }, own, NOW + 60_499)).toBe(false);
  expect(mayOpen({ ...order, untilEnd }, own, NOW + 60_500)).toBe(true);
  // A clock that was put back says nothing, nor does what an older version stored.
  expect(mayOpen({ ...order, untilEnd }, own, NOW - 1)).toBe(true);
  expect(mayOpen({ ...order, untilEnd, placedAt: undefined }, own, NOW)).toBe(true);
});

it("an order that stays sealed until its end needs a price of its own symbol after it, or ten seconds without one", () => {
  const order = { symbol: "USDCAD", acceptedAt: 1_000_000, untilEnd: { durationSeconds: 30, expiresAt: 1_030_400 } };
  bring("USDCAD", 1_000_400);
  expect(mayOpen(order, bring("BTCUSD", 1_030_900), NOW)).toBe(false);
  expect(mayOpen(order, bring("BTCUSD", 1_040_400), NOW)).toBe(false);
  expect(mayOpen(order, bring("BTCUSD", 1_040_401), NOW)).toBe(true);
});

it("an order's end is never earlier or later than its terms allow, whatever the house says", () => {
  const end = (expiresAt: number | null) =>
    opensAfter({ acceptedAt: 1_000, untilEnd: { durationSeconds: 60, expiresAt } });
  expect(end(1_001)).toBe(61_000);
  expect(end(61_500)).toBe(61_500);
  expect(end(9_000_000)).toBe(71_000);
  expect(end(null)).toBe(71_000);
});

it("keeps the newest head with a price of each symbol, because the house must accept soon after that price", () => {
  const own = bring("XAUUSD", 2_000_000);
  bring("BTCUSD", 2_000_400);
  // Of several in one head, the own one counts.
  takeHead({
    t: "ticks",
    now: 1,
    d: [
      ["XAGUSD", 1, 2_000_600, "1.08500"],
      ["BTCUSD", 2, 2_003_000, "1.08500"],
    ],
    head: { k: ++slots, hash: "cd".repeat(32), signature: null },
  });
  expect(newestHeadWith("XAGUSD")?.at).toBe(2_000_600);
  expect(newestHeadWith("XAUUSD")).toEqual(own);
  expect(newestHeadWith("NEWUSD")).toBeNull();
});
