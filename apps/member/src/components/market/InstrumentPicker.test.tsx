// @vitest-environment jsdom
import type { Instrument } from "@fairtick/protocol";
import { SheetFrame } from "@fairtick/ui";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keys, queryClient } from "../../data/queries.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { InstrumentPicker } from "./InstrumentPicker.tsx";

const instrument = (symbol: string, name: string) =>
  ({
    symbol,
    name,
    kind: "fx",
    decimals: 2,
    open: true,
    suspended: false,
    nextChange: null,
    price: "1.00",
    priceAt: 0,
    dayOpen: "1.00",
    changeToday: "0",
  }) as unknown as Instrument;
const ALL = [instrument("EURUSD", "EUR/USD"), instrument("USDJPY", "USD/JPY"), instrument("XAUUSD", "XAU/USD")];

beforeEach(() => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  queryClient.setQueryData(keys.instruments, ALL);
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

it.each([
  ["en", "gold", ["XAU/USD"]],
  ["en", "usd/j", ["USD/JPY"]],
  ["en", "euro dollar", ["EUR/USD"]],
  ["en", "ＥＵＲ", ["EUR/USD"]],
  ["xby", "dolar", ["EUR/USD", "USD/JPY"]],
  ["yue", "vang", ["XAU/USD"]],
  ["yue", "do la", ["EUR/USD", "USD/JPY"]],
  ["en", "no such product", []],
] as const)("in %s it finds by %j", async (language, words, found) => {
  await activateAllWords(language);
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <SheetFrame value={document.body}>
          <InstrumentPicker symbol="EURUSD" onPick={() => {}} />
        </SheetFrame>
      </QueryClientProvider>
    </I18nProvider>,
  );
  await act(async () => fireEvent.click(screen.getByRole("button", { name: /EUR\/USD/ })));
  fireEvent.change(await screen.findByRole("searchbox"), { target: { value: words } });
  const names = [...document.querySelectorAll(".product-list .grow")].map((one) => one.firstChild?.textContent);
  expect(names).toEqual(found);
});
