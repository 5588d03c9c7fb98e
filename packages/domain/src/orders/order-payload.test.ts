import { expect, it } from "vitest";
import type { MicroUsd, Rate } from "../money/money.ts";
import { isWishFor } from "./order-payload.ts";
import type { AgreedPayload, OrderPayload } from "./placement.ts";
import type { Points } from "../market/price.ts";

const order: AgreedPayload = {
  wallet: "practice",
  symbol: "EURUSD",
  direction: "up",
  sealed: null,
  stake: 10_000_000n as MicroUsd,
  durationSeconds: 60,
  limitPrice: null,
  payoutRate: 820_000n as Rate,
  fee: 100_000n as MicroUsd,
};

it.each<[string, Partial<OrderPayload>]>([
  ["as it was agreed", {}],
  ["that leaves rate and fee open", { payoutRate: null, fee: null }],
])("a wish %s is for the order", (_name, change) => {
  expect(isWishFor({ ...order, ...change }, order)).toBe(true);
});

it.each<[string, Partial<OrderPayload>]>([
  ["wallet", { wallet: "real" }],
  ["symbol", { symbol: "GBPUSD" }],
  ["direction", { direction: "down" }],
  ["stake", { stake: 10_010_000n as MicroUsd }],
  ["duration", { durationSeconds: 30 }],
  ["limit price", { limitPrice: 1n as Points }],
  ["rate", { payoutRate: 850_000n as Rate }],
  ["fee", { fee: 110_000n as MicroUsd }],
])("a wish with another %s is not", (_name, change) => {
  expect(isWishFor({ ...order, ...change }, order)).toBe(false);
});

it("a wish without a limit price is not for an order with one", () => {
  expect(isWishFor(order, { ...order, limitPrice: 1n as Points })).toBe(false);
});
