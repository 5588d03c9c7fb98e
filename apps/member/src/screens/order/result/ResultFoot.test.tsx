// @vitest-environment jsdom
import type { Instrument, Order } from "@fairtick/protocol";
import { SheetFrame, Toasts } from "@fairtick/ui";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { prices } from "../../../data/prices.ts";
import { keys, queryClient } from "../../../data/queries.ts";
import { answerDevice, bringHead } from "../../../data/sealed/test-sealing.ts";
import { activateAllWords, i18n } from "../../../shared/i18n.ts";
import { currentPlace, navigateTo, ShownPlace } from "../../../shared/navigation.tsx";
import { ResultFoot } from "./ResultFoot.tsx";

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
  durations: [
    { seconds: 30, payoutRate: "0.80" },
    { seconds: 60, payoutRate: "0.85" },
  ],
  price: "1.08500",
  priceAt: null,
  seq: 1,
  dayOpen: "1.08000",
  changeToday: "0.0046",
  spark: [],
  source: "sm1",
};
const LOST: Order = {
  orderNo: "ord_0",
  clientOrderId: "01890000-0000-7000-8000-000000000000",
  wallet: "practice",
  symbol: "EURUSD",
  direction: "down",
  sealed: true,
  stake: "20.00",
  fee: "0.20",
  payoutRate: "0.80",
  limitPrice: null,
  duration: 30,
  state: "settled",
  outcome: "lost",
  acceptedAt: 0,
  entryAt: 500,
  entryPrice: "1.08500",
  expiresAt: 30_500,
  exitAt: 30_000,
  exitPrice: "1.08600",
  settledAt: 30_600,
  profit: "-20.20",
  voidReason: null,
  configVersion: 1,
  serverTime: 30_600,
};
/** Requests to `order/place`. */
const placed: URLSearchParams[] = [];
let seq = 0;

beforeEach(async () => {
  await activateAllWords("en");
  localStorage.setItem("exchange2508Token", "token");
  localStorage.setItem("loginState", JSON.stringify({ userInfo: { userId: "mem_1" } }));
  queryClient.setQueryData(keys.info, { userId: "mem_1", tradePasswordSet: true });
  queryClient.setQueryData(keys.instruments, [INSTRUMENT]);
  setAvailable("9979.80");
  seq += 1;
  // A last price fresh enough to trade on, however slow the machine.
  prices.take("EURUSD", { seq, at: Date.now() + 60_000, price: "1.08500" });
  bringHead();
  Element.prototype.scrollIntoView = () => {};
  vi.stubGlobal("matchMedia", () => new EventTarget());
  vi.stubGlobal("fetch", (path: string, { body }: RequestInit) => {
    const device = answerDevice(path);
    if (device !== null) return Promise.resolve(device);
    if (path !== "/client/order/place") return new Promise(() => {});
    placed.push(body as URLSearchParams);
    const clientOrderId = (body as URLSearchParams).get("clientOrderId");
    const data = {
      orderNo: `ord_${placed.length}`,
      clientOrderId,
      wallet: "practice",
      state: "accepted",
      acceptance: null,
    };
    return Promise.resolve(Response.json({ code: 200, msg: "", data }));
  });
});
afterEach(() => {
  cleanup();
  placed.length = 0;
  queryClient.clear();
  localStorage.clear();
  vi.unstubAllGlobals();
});

function setAvailable(available: string) {
  queryClient.setQueryData(keys.summary("practice"), { wallet: "practice", available, serverTime: 1 });
}

function open({ order = LOST, instrument = INSTRUMENT, isFresh = false } = {}) {
  navigateTo(`/pages/trade/trade?orderNo=${order.orderNo}`);
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <ShownPlace value={currentPlace()}>
          <SheetFrame value={document.body}>
            <ResultFoot order={order} instrument={instrument} isFresh={isFresh} />
          </SheetFrame>
        </ShownPlace>
        <Toasts />
      </QueryClientProvider>
    </I18nProvider>,
  );
}

const repeat = () => screen.getByRole("button", { name: /^Repeat Down 20\.00 · 30\ss/ });

it("places the same order at one tap and leads to it", async () => {
  open();
  fireEvent.click(repeat());
  await vi.waitFor(() => expect(currentPlace().search).toMatchObject({ orderNo: "ord_1" }), { timeout: 20_000 });
  expect(placed.map((sent) => ["stake", "duration", "payoutRate", "fee"].map((name) => sent.get(name)))).toEqual([
    ["20.00", "30", "0.80", "0.20"],
  ]);
  expect(screen.queryByTestId("confirm")).toBeNull();
});

it("asks first if the terms have changed since", async () => {
  const durations = [{ seconds: 30, payoutRate: "0.75" }];
  open({ instrument: { ...INSTRUMENT, durations } });
  fireEvent.click(repeat());
  const sheet = await screen.findByTestId("confirm", undefined, { timeout: 20_000 });
  expect(placed).toEqual([]);
  fireEvent.click(within(sheet).getByRole("button", { name: "Place order · Down\u00a0· 20.00\u00a0USD" }));
  await vi.waitFor(() => expect(placed.map((sent) => sent.get("payoutRate"))).toEqual(["0.75"]), { timeout: 20_000 });
});

it("says why it can't repeat, and places nothing then", async () => {
  setAvailable("5.00");
  open();
  expect(repeat().textContent).toContain("Insufficient balance");
  fireEvent.click(repeat());
  expect(await screen.findByText("Insufficient balance. $5.00 is available")).toBeTruthy();
  expect(placed).toEqual([]);
});

it("ignores a press that began before the result came", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  open({ isFresh: true });
  fireEvent.click(repeat());
  expect(repeat().getAttribute("aria-disabled")).toBe("true");
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  expect(placed).toEqual([]);
  fireEvent.click(repeat());
  await vi.waitFor(() => expect(placed).toHaveLength(1), { timeout: 20_000 });
});

it("continues with direction, stake and duration in the address, as the ticket at a desk takes them", () => {
  open();
  fireEvent.click(screen.getByRole("button", { name: "Continue order" }));
  expect(currentPlace().search).toEqual({ symbol: "EURUSD", direction: "down", stake: "20.00", duration: "30" });
});

it.each([
  ["a limit price", { limitPrice: "1.08000" }],
  ["a direction that this device does not know", { direction: null }],
  ["the other wallet", { wallet: "real" }],
] as const)("offers no repeat of an order with %s", (_, difference) => {
  open({ order: { ...LOST, ...difference } });
  expect(screen.queryByRole("button", { name: /^Repeat/ })).toBeNull();
  expect(screen.getByRole("button", { name: "Continue order" })).toBeTruthy();
});
