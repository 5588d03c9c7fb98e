// @vitest-environment jsdom
import type { Instrument, Order } from "@fairtick/protocol";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keys, queryClient } from "../../data/queries.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { IslandResult } from "./IslandResult.tsx";

const asked = vi.hoisted(() => vi.fn<() => void>());
// The verifier's code can't be loaded, as on a connection that breaks just then.
vi.mock("./EndedProof.tsx", () => {
  asked();
  throw new TypeError("Failed to fetch dynamically imported module");
});

const LOST = {
  orderNo: "ord_1",
  wallet: "practice",
  symbol: "EURUSD",
  direction: "up",
  state: "settled",
  outcome: "lost",
  profit: "-20.20",
  entryPrice: "1.08500",
  exitPrice: "1.08400",
  settledAt: null,
} as Order;

beforeEach(async () => {
  await activateAllWords("en");
  vi.stubGlobal("fetch", () => new Promise(() => {}));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  // React reports the error that is caught.
  vi.spyOn(console, "error").mockReturnValue(undefined);
  queryClient.setQueryData(keys.instruments, [{ symbol: "EURUSD", name: "EUR/USD", decimals: 5 } as Instrument]);
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("shows a result even if the code that verifies it can't be loaded", async () => {
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <IslandResult ended={[LOST]} />
      </QueryClientProvider>
    </I18nProvider>,
  );
  await vi.waitFor(() => {
    expect([asked.mock.calls.length, screen.getByTestId("island-proof").textContent]).toEqual([1, ""]);
  });
  expect(screen.getByTestId("island-ended").textContent).toContain("−20.20");
});
