// @vitest-environment jsdom
import type { Instrument, Order } from "@fairtick/protocol";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keys, queryClient } from "../../../data/queries.ts";
import { activateAllWords, i18n } from "../../../shared/i18n.ts";
import { currentPlace, ShownPlace } from "../../../shared/navigation.tsx";
import { DetailPanel } from "./DetailSheet.tsx";

const SETTLED: Order = {
  orderNo: "ord_1",
  wallet: "practice",
  symbol: "EURUSD",
  direction: null,
  state: "settled",
  stake: "20.00",
  fee: "0.20",
  payoutRate: "0.85",
  duration: 60,
  limitPrice: null,
  acceptedAt: 1_000,
  entryAt: 1_500,
  entryPrice: "1.08500",
  deliveryAt: 61_500,
  exitAt: 61_400,
  exitPrice: "1.08600",
  settledAt: 62_000,
  voidReason: null,
} as unknown as Order;

beforeEach(async () => {
  await activateAllWords("en");
  vi.stubGlobal("fetch", () => new Promise(() => {}));
  // Evidence is not looked for, so that no request to the database outlives the test.
  vi.stubGlobal("indexedDB", undefined);
  queryClient.setQueryData(keys.instruments, [{ symbol: "EURUSD", name: "EUR/USD", decimals: 5 } as Instrument]);
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

function lastLine(ended: Partial<Order>): string {
  queryClient.setQueryData(keys.order("ord_1"), { ...SETTLED, ...ended });
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <ShownPlace value={currentPlace()}>
          <DetailPanel orderNo="ord_1" onClose={() => undefined} />
        </ShownPlace>
      </QueryClientProvider>
    </I18nProvider>,
  );
  return screen.getByTestId("detail").querySelector(".timeline > :last-child")?.textContent ?? "";
}

it.each([
  ["won", "36.80", /^Paid37\.00 =/],
  ["lost", "-20.20", /^Settledthe stake goes to the house/],
  ["tied", "0.00", /^Returned20\.20 = 20\.00 \+ 0\.20/],
  // The direction was never shown, so the stake is lost; nothing comes back.
  ["unrevealed", "-20.20", /^Settledthe stake goes to the house/],
] as const)("ends the timeline of an order that is %s with what was paid", (outcome, profit, line) => {
  expect(lastLine({ outcome, profit })).toMatch(line);
});
