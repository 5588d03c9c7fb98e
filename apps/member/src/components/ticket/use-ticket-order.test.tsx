// @vitest-environment jsdom
import type { Instrument } from "@fairtick/protocol";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keys, queryClient } from "../../data/queries.ts";
import { answerDevice, bringHead } from "../../data/sealed/test-sealing.ts";
import { changeSettings } from "../../data/settings.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { useTicketOrder } from "./use-ticket-order.ts";

const INSTRUMENT: Instrument = {
  symbol: "EURUSD",
  name: "EUR/USD",
  kind: "fx",
  decimals: 5,
  open: true,
  suspended: false,
  nextChange: null,
  minStake: "1.00",
  maxStake: "1000.00",
  feeRate: "0.01",
  durations: [{ seconds: 60, payoutRate: "0.85" }],
  price: "1.08500",
  priceAt: null,
  seq: 1,
  dayOpen: "1.08000",
  changeToday: "0.0046",
  spark: [],
  source: "sm1",
};
const REPEATED = { direction: "up", stake: "10.00", duration: 60, payoutRate: "0.85", fee: "0.10" } as const;
/** Answers to `order/place` that are still to come. */
let waiting: (() => void)[] = [];
let placed = 0;

beforeEach(async () => {
  await activateAllWords("en");
  localStorage.setItem("exchange2508Token", "token");
  localStorage.setItem("loginState", JSON.stringify({ userInfo: { userId: "mem_1" } }));
  queryClient.setQueryData(keys.info, { userId: "mem_1", tradePasswordSet: true });
  queryClient.setQueryData(keys.summary("practice"), { wallet: "practice", available: "9840.50", serverTime: 1 });
  bringHead();
  placed = 0;
  waiting = [];
  vi.stubGlobal("fetch", (path: string, { body }: RequestInit) => {
    const device = answerDevice(path);
    if (device !== null) return Promise.resolve(device);
    if (path !== "/client/order/place") return new Promise(() => {});
    placed += 1;
    const clientOrderId = (body as URLSearchParams).get("clientOrderId");
    const data = { orderNo: `ord_${placed}`, clientOrderId, wallet: "practice", state: "accepted", acceptance: null };
    const { promise, resolve } = Promise.withResolvers<Response>();
    waiting.push(() => {
      resolve(Response.json({ code: 200, msg: "", data }));
    });
    return promise;
  });
});
afterEach(() => {
  cleanup();
  changeSettings({ confirmOrders: true });
  queryClient.clear();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function ticket() {
  const { result } = renderHook(
    () => useTicketOrder(INSTRUMENT, { direction: null, clearsDirection: true }, () => undefined),
    {
      wrapper: ({ children }: { readonly children: ReactNode }) => (
        <I18nProvider i18n={i18n}>
          <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
        </I18nProvider>
      ),
    },
  );
  return result;
}

/** Answers the order that is on its way, and waits until the ticket knows. */
async function accept(result: ReturnType<typeof ticket>): Promise<void> {
  await waitFor(() => {
    expect(waiting).not.toEqual([]);
  });
  act(() => {
    for (const answer of waiting.splice(0)) answer();
  });
  await waitFor(() => {
    expect(result.current.state).toEqual({ step: "idle" });
  });
}

it.each([
  ["choosing", (result: ReturnType<typeof ticket>) => result.current.choose("up")],
  ["repeating", (result: ReturnType<typeof ticket>) => result.current.repeat(REPEATED)],
])("places one order for a double press of %s, however fast the answer is", async (_, press) => {
  changeSettings({ confirmOrders: false });
  const clock = vi.spyOn(performance, "now").mockReturnValue(10_000);
  const result = ticket();
  act(() => press(result));
  await accept(result);
  clock.mockReturnValue(10_250);
  act(() => press(result));
  expect(result.current.state).toEqual({ step: "idle" });
  expect(placed).toBe(1);
  clock.mockReturnValue(10_600);
  act(() => press(result));
  expect(result.current.state).toEqual({ step: "placing" });
  await accept(result);
  expect(placed).toBe(2);
});

it("can't leave the confirmation of an order that is on its way", async () => {
  const result = ticket();
  act(() => {
    result.current.choose("up");
  });
  act(() => {
    result.current.place();
  });
  act(() => {
    result.current.leave();
  });
  expect([result.current.isConfirming, result.current.form.ticket.direction]).toEqual([true, "up"]);
  await accept(result);
  expect(result.current.isConfirming).toBe(false);
});
