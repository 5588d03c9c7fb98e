// @vitest-environment jsdom
import type { Instrument, Order } from "@fairtick/protocol";
import { SheetFrame } from "@fairtick/ui";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useChartController } from "../../../components/chart/chart-controller.ts";
import { keys, queryClient } from "../../../data/queries.ts";
import { activateAllWords, i18n } from "../../../shared/i18n.ts";
import { currentPlace, navigateTo } from "../../../shared/navigation.tsx";
import { ChartPane } from "./ChartPane.tsx";

// The canvas has no dots to press here: a button stands for the settled order's dot.
vi.mock("../../../components/chart/PriceChart.tsx", () => ({
  PriceChart: ({ onSettledTap }: { readonly onSettledTap: (orderNo: string) => void }) => (
    <button type="button" onClick={() => onSettledTap("ord_1")}>
      dot
    </button>
  ),
}));

const INSTRUMENT = {
  symbol: "EURUSD",
  name: "EUR/USD",
  kind: "fx",
  decimals: 5,
  open: true,
  suspended: false,
  nextChange: null,
  price: "1.08500",
  priceAt: null,
  dayOpen: "1.08000",
  changeToday: "0.0046",
  spark: [],
} as unknown as Instrument;
const WON = {
  orderNo: "ord_1",
  wallet: "practice",
  symbol: "EURUSD",
  direction: "up",
  stake: "10.00",
  entryAt: 1_000,
  entryPrice: "1.08500",
  exitAt: 31_000,
  exitPrice: "1.08600",
  outcome: "won",
  profit: "8.10",
} as unknown as Order;

beforeEach(async () => {
  await activateAllWords("en");
  queryClient.setQueryData([...keys.history("practice"), {}], { pages: [{ items: [WON] }], pageParams: [undefined] });
  vi.stubGlobal("matchMedia", () => new EventTarget());
  vi.stubGlobal("fetch", (path: string) =>
    path === "/client/market/ticks"
      ? Promise.resolve(Response.json({ code: 200, msg: "", data: [[1, 1_000, "1.08500"]] }))
      : new Promise(() => {}),
  );
  navigateTo("/pages/trade/index?symbol=EURUSD");
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

function Pane() {
  return (
    <ChartPane
      place="main"
      instrument={INSTRUMENT}
      breakpoint="desk"
      charts={{
        active: "main",
        main: "EURUSD",
        second: null,
        isLinked: true,
        activate: () => undefined,
        link: () => undefined,
        setTwo: () => undefined,
      }}
      controller={useChartController()}
    />
  );
}

function open() {
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <SheetFrame value={document.body}>
          <Pane />
        </SheetFrame>
      </QueryClientProvider>
    </I18nProvider>,
  );
  return screen.getByRole("region", { name: "Chart, EUR/USD" });
}

it("replays a settled order at a press on its dot, and leads to the order from there", async () => {
  open();
  fireEvent.click(screen.getByRole("button", { name: "dot" }));
  const order = await screen.findByRole("link", { name: "Replay: Won +8.10" }, { timeout: 20_000 });
  expect(currentPlace().path).toBe("/pages/trade/index");
  fireEvent.click(order);
  await vi.waitFor(() => expect(currentPlace().search).toEqual({ orderNo: "ord_1" }));
});

it("leaves full screen by its button, by Escape from anywhere and by going back", async () => {
  const pane = open();
  const isFull = () => pane.hasAttribute("data-full");
  const enter = () => {
    fireEvent.click(screen.getByRole("button", { name: "Full screen" }));
    expect(isFull()).toBe(true);
  };
  enter();
  fireEvent.click(screen.getByRole("button", { name: "Leave full screen" }));
  expect(isFull()).toBe(false);
  enter();
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(isFull()).toBe(false);
  enter();
  // The entry of the full screen just left is taken away first.
  await vi.waitFor(() => expect(Reflect.has(history.state as object, "sheet")).toBe(true));
  history.back();
  await vi.waitFor(() => expect(isFull()).toBe(false));
  expect(currentPlace().path).toBe("/pages/trade/index");
});
