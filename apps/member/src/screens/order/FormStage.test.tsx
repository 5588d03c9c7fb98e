// @vitest-environment jsdom
import type { Instrument } from "@fairtick/protocol";
import { SheetFrame, Toasts } from "@fairtick/ui";
import { waitForReturn } from "@fairtick/ui/sheet-history.ts";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { prices } from "../../data/prices.ts";
import { keys, queryClient } from "../../data/queries.ts";
import { readChoice } from "../../data/sealed/shelf.ts";
import { answerDevice, bringHead } from "../../data/sealed/test-sealing.ts";
import { changeSettings } from "../../data/settings.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { currentPlace, navigateTo, ShownPlace } from "../../shared/navigation.tsx";
import { FormStage } from "./FormStage.tsx";

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
const GOLD: Instrument = { ...INSTRUMENT, symbol: "XAUUSD", name: "XAU/USD", decimals: 2, price: "1234.60" };
/** Requests to `order/place`. */
const placed: URLSearchParams[] = [];
/** Requests to `order/quote`. */
const quoted: URLSearchParams[] = [];
let seq = 0;
/** The message with which orders are refused; null to accept them. */
let refusal: string | null = null;

beforeEach(async () => {
  await activateAllWords("en");
  localStorage.setItem("exchange2508Token", "token");
  localStorage.setItem("loginState", JSON.stringify({ userInfo: { userId: "mem_1" } }));
  queryClient.setQueryData(keys.info, { userId: "mem_1", tradePasswordSet: true });
  queryClient.setQueryData(keys.summary("practice"), { wallet: "practice", available: "9840.50", serverTime: 1 });
  // A last price fresh enough to trade on, however slow the machine.
  seq += 1;
  prices.take("EURUSD", { seq, at: Date.now() + 60_000, price: "1.08500" });
  bringHead();
  queryClient.setQueryData(keys.instruments, [INSTRUMENT, GOLD]);
  refusal = null;
  // jsdom lacks it.
  Element.prototype.scrollIntoView = () => {};
  vi.stubGlobal("matchMedia", () => new EventTarget());
  vi.stubGlobal("fetch", (path: string, { body }: RequestInit) => {
    if (path === "/client/order/quote") quoted.push(body as URLSearchParams);
    const device = answerDevice(path);
    if (device !== null) return Promise.resolve(device);
    if (path !== "/client/order/place") return new Promise(() => {});
    placed.push(body as URLSearchParams);
    if (refusal !== null)
      return Promise.resolve(Response.json({ code: 422, msg: refusal, data: { error: "ORDERS_SUSPENDED" } }));
    const clientOrderId = (body as URLSearchParams).get("clientOrderId");
    const data = {
      orderNo: `ord_${placed.length}`,
      clientOrderId,
      wallet: "practice",
      state: "accepted",
      acceptance: null,
    };
    return Promise.resolve(new Response(JSON.stringify({ code: 200, msg: "", data })));
  });
});
afterEach(async () => {
  cleanup();
  // An open sheet goes back in the history a moment later. Wait for it, so that it doesn't affect the next test.
  await new Promise((later) => {
    setTimeout(later);
  });
  await vi.waitUntil(() => !waitForReturn(() => undefined));
  changeSettings({ confirmOrders: true });
  placed.length = 0;
  quoted.length = 0;
  queryClient.clear();
  localStorage.clear();
  vi.unstubAllGlobals();
});

function open(instrument = INSTRUMENT) {
  navigateTo(`/pages/trade/trade?symbol=${instrument.symbol}&direction=up`);
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <ShownPlace value={currentPlace()}>
          <SheetFrame value={document.body}>
            <FormStage instrument={instrument} direction="up" heading={null} />
          </SheetFrame>
        </ShownPlace>
        <Toasts />
      </QueryClientProvider>
    </I18nProvider>,
  );
}
const isRunning = () =>
  vi.waitFor(() => expect(currentPlace().search).toMatchObject({ orderNo: "ord_1" }), { timeout: 20_000 });

it("shows the figures again before an order is sent, unless that was switched off", async () => {
  open();
  fireEvent.click(screen.getByRole("button", { name: "Review · Up · 100.00 USD" }));
  const sheet = await screen.findByTestId("confirm", undefined, { timeout: 20_000 });
  expect(sheet.textContent).toContain("EUR/USD");
  expect(placed).toEqual([]);
  fireEvent.click(within(sheet).getByRole("button", { name: /Place order · Up\s· 100.00\sUSD$/ }));
  await isRunning();
  expect(placed.map((order) => [order.get("stake"), order.get("duration"), order.get("deviceId")])).toEqual([
    ["100.00", "60", "dev_1"],
  ]);
  expect(placed.map((order) => [order.has("direction"), order.get("seal")?.length])).toEqual([[false, 64]]);
});

it("requests a quote without the direction", async () => {
  open();
  fireEvent.click(screen.getByRole("button", { name: "Review · Up · 100.00 USD" }));
  await vi.waitFor(() => expect(quoted).toHaveLength(1), { timeout: 20_000 });
  expect([...(quoted[0]?.keys() ?? [])].sort()).toEqual(["duration", "stake", "symbol", "wallet"]);
});

it("sends an order at one tap if the confirmation is switched off", async () => {
  changeSettings({ confirmOrders: false });
  open();
  expect(screen.queryByRole("button", { name: /^Review/ })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Place order · Up\u00a0· 100.00\u00a0USD" }));
  await isRunning();
  expect(screen.queryByTestId("confirm")).toBeNull();
  expect(placed).toHaveLength(1);
  // The terms as shown: different ones at the acceptance are refused, with or without confirmation.
  expect([placed[0]?.get("payoutRate"), placed[0]?.get("fee")]).toEqual(["0.85", "1.00"]);
});

it("accepts a limit price with thousands separators, and seals it without them", async () => {
  changeSettings({ confirmOrders: false });
  seq += 1;
  prices.take("XAUUSD", { seq, at: Date.now() + 60_000, price: "1234.60" });
  open(GOLD);
  fireEvent.click(screen.getByRole("switch", { name: "Limit price" }));
  fireEvent.change(screen.getByRole("textbox", { name: "Limit price" }), { target: { value: "1,234.5" } });
  fireEvent.click(screen.getByRole("button", { name: /^Place order/ }));
  await isRunning();
  expect(placed.map((order) => order.has("limitPrice"))).toEqual([false]);
  const kept = await readChoice(placed[0]?.get("clientOrderId") ?? "");
  expect([kept?.direction, kept?.limitPrice]).toEqual(["up", "1234.5"]);
});

it.each([true, false])("puts a full stop between a refusal and what it means (review %s)", async (confirmOrders) => {
  refusal = "No orders are taken now";
  changeSettings({ confirmOrders });
  open();
  if (confirmOrders) {
    fireEvent.click(screen.getByRole("button", { name: /^Review/ }));
    const sheet = await screen.findByTestId("confirm", undefined, { timeout: 20_000 });
    fireEvent.click(within(sheet).getByRole("button", { name: /Place order/ }));
  } else fireEvent.click(screen.getByRole("button", { name: /^Place order/ }));
  const words = "No orders are taken now. No order was placed and nothing was held.";
  const said = await screen.findByText(words, undefined, { timeout: 20_000 });
  expect(said.closest("[role=alert]")).not.toBeNull();
});
