import type { Order } from "@fairtick/protocol";
import { expect, test } from "vitest";
import { timelineOf } from "./order-timeline.ts";

const order: Order = {
  orderNo: "ord_1",
  clientOrderId: "client-1",
  wallet: "practice",
  symbol: "EURUSD",
  direction: "up",
  sealed: false,
  stake: "100.00",
  fee: "1.00",
  payoutRate: "0.85",
  limitPrice: null,
  duration: 60,
  state: "accepted",
  outcome: null,
  acceptedAt: 1_000,
  entryAt: null,
  entryPrice: null,
  expiresAt: null,
  exitAt: null,
  exitPrice: null,
  settledAt: null,
  profit: null,
  voidReason: null,
  configVersion: 1,
  serverTime: 1_000,
};
const open = { ...order, state: "open", entryAt: 1_269, entryPrice: "1.085012", expiresAt: 61_269 } as const;
const kinds = (events: ReturnType<typeof timelineOf>) => events.map(({ kind, later }) => (later ? `(${kind})` : kind));

test("a settled order: accepted, entry, exit, settled, with the milliseconds between", () => {
  const won = { ...open, state: "settled", exitAt: 61_200, exitPrice: "1.0851", settledAt: 61_290 } as const;
  const events = timelineOf({ ...won, outcome: "won", profit: "84.00" });
  expect(kinds(events)).toEqual(["accepted", "entry", "exit", "settled"]);
  expect(events.map(({ afterMs }) => afterMs)).toEqual([null, 269, 59_931, 90]);
});

test("a running order shows what is still to come, the delivery at its known time", () => {
  expect(kinds(timelineOf(order))).toEqual(["accepted", "(entry)", "(delivery)", "(settled)"]);
  const events = timelineOf(open);
  expect(kinds(events)).toEqual(["accepted", "entry", "(delivery)", "(settled)"]);
  expect(events[2]).toMatchObject({ at: 61_269, afterMs: null });
});

test("an order voided without an entry has neither entry nor exit", () => {
  const voided = { ...order, state: "settled", outcome: "voided", settledAt: 11_050 } as const;
  const events = timelineOf({ ...voided, voidReason: "NO_ENTRY_TICK", profit: "0.00" });
  expect(kinds(events)).toEqual(["accepted", "settled"]);
  expect(events[1]?.afterMs).toBe(10_050);
});
