// @vitest-environment jsdom
import type { Order, Summary } from "@fairtick/protocol";
import { QueryObserver } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { takeSummary } from "./account.ts";
import { forward, takeOrder } from "./orders.ts";
import { keys, queryClient } from "./queries.ts";

const accepted: Order = {
  orderNo: "ord_1",
  clientOrderId: "order-0001",
  wallet: "practice",
  symbol: "EURUSD",
  direction: "up",
  sealed: false,
  stake: "12.50",
  fee: "0.12",
  payoutRate: "0.9",
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
const open: Order = { ...accepted, state: "open", entryAt: 1_200, entryPrice: "1.084120", expiresAt: 61_200 };
const settled: Order = { ...open, state: "settled", outcome: "won", settledAt: 61_300, profit: "11.13" };

const shown = () => ({
  own: queryClient.getQueryData<Order>(keys.order("ord_1"))?.state,
  listed: queryClient.getQueryData<{ items: Order[] }>(keys.positions("practice"))?.items.map(({ state }) => state),
});

beforeEach(() => {
  queryClient.clear();
  queryClient.setQueryData(keys.positions("practice"), { items: [], nextCursor: null });
});

describe("an order that arrives through calls and the stream", () => {
  it("advances with each later state", () => {
    takeOrder(accepted);
    expect(shown()).toEqual({ own: "accepted", listed: ["accepted"] });
    takeOrder(open);
    expect(shown()).toEqual({ own: "open", listed: ["open"] });
    takeOrder(settled);
    expect(shown()).toEqual({ own: "settled", listed: [] });
  });

  it("stays open when the answer of the call that placed it comes after the stream", () => {
    takeOrder(open);
    takeOrder(accepted);
    expect(shown()).toEqual({ own: "open", listed: ["open"] });
  });

  it("stays settled whatever comes after", () => {
    takeOrder(settled);
    takeOrder(open);
    expect(shown()).toEqual({ own: "settled", listed: [] });
    expect(forward(open)).toEqual(settled);
  });

  it("has the list fetched again if a fetch was in flight", async () => {
    const answers = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()] as const;
    let asked = 0;
    const observer = new QueryObserver(queryClient, {
      queryKey: keys.positions("practice"),
      queryFn: () => answers[asked++ === 0 ? 0 : 1].promise,
      staleTime: 0,
    });
    const stop = observer.subscribe(() => undefined);
    await vi.waitFor(() => {
      expect(asked).toBe(1);
    });
    takeOrder(accepted);
    answers[0].resolve({ items: [], nextCursor: null });
    await vi.waitFor(() => {
      expect(asked).toBe(2);
    });
    expect(shown().listed).toEqual(["accepted"]);
    stop();
  });
});

it("a summary made before the known one is ignored", () => {
  const later = { wallet: "practice", available: "90.00", serverTime: 2_000 } as Summary;
  takeSummary(later);
  takeSummary({ ...later, available: "100.00", serverTime: 1_000 });
  expect(queryClient.getQueryData(keys.summary("practice"))).toEqual(later);
});
