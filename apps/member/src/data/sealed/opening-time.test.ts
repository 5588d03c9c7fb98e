import { expect, it } from "vitest";
import { newestHead, takeHead } from "./heads.ts";
import { isFixed } from "./opening-time.ts";

let slots = 0;

/** Brings a head with one price and returns it. */
function bring(symbol: string, at: number) {
  slots += 1;
  const head = { k: slots, hash: "ab".repeat(32), signature: null };
  takeHead({ t: "ticks", now: at, d: [[symbol, slots, at, "1.08500"]], head });
  return newestHead()!;
}

it("an order is fixed by a price of its own symbol after its acceptance, since that is its entry", () => {
  const order = { symbol: "EURUSD" };
  const acceptedAt = 100_000;
  expect(isFixed(acceptedAt, order, bring("EURUSD", 99_500))).toBe(false);
  expect(isFixed(acceptedAt, order, bring("EURUSD", 100_000))).toBe(false);
  const other = bring("BTCUSD", 100_500);
  expect(isFixed(acceptedAt, order, other)).toBe(false);
  // What an older version stored has no symbol.
  expect(isFixed(acceptedAt, {}, other)).toBe(true);
  expect(isFixed(acceptedAt, order, bring("EURUSD", 100_501))).toBe(true);
});

it("an order without a price in its entry window is void, so waiting longer is of no use", () => {
  const order = { symbol: "GBPUSD" };
  const acceptedAt = 200_000;
  expect(isFixed(acceptedAt, order, bring("BTCUSD", 210_000))).toBe(false);
  expect(isFixed(acceptedAt, order, bring("BTCUSD", 210_001))).toBe(true);
});
