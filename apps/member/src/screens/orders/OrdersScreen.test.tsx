// @vitest-environment jsdom
import type { Instrument } from "@fairtick/protocol";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useSyncExternalStore } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keys, queryClient } from "../../data/queries.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { currentPlace, navigateTo, ShownPlace, watchPlace } from "../../shared/navigation.tsx";
import { OrdersScreen } from "./OrdersScreen.tsx";

/** The fields of the exports and of the history's newest page. */
let exported: Record<string, string>[] = [];
let listed: Record<string, string> = {};

function answer(path: string, fields: Record<string, string>): Response | Promise<Response> {
  if (path === "order/export") {
    exported.push(fields);
    return new Response("orderNo\r\n", { headers: { "content-type": "text/csv; charset=utf-8" } });
  }
  if (path === "order/history") listed = fields;
  return new Promise(() => {});
}

beforeEach(async () => {
  exported = [];
  listed = {};
  localStorage.setItem("exchange2508Token", "token");
  localStorage.setItem("loginState", JSON.stringify({ userInfo: { userId: "mem_1" } }));
  vi.stubGlobal("fetch", (url: string, { body }: RequestInit) =>
    Promise.resolve(answer(url.replace(/^.*\/client\//, ""), Object.fromEntries(new URLSearchParams(body as string)))),
  );
  vi.stubGlobal("indexedDB", undefined);
  vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:1", revokeObjectURL: () => {} }));
  await activateAllWords("en");
  queryClient.setQueryData(keys.instruments, [{ symbol: "EURUSD", name: "EUR/USD", decimals: 5 } as Instrument]);
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  localStorage.clear();
  vi.unstubAllGlobals();
});

/** The screen at the current address, which its tabs and filters change. */
function Followed() {
  const place = useSyncExternalStore(watchPlace, currentPlace);
  return (
    <ShownPlace value={place}>
      <OrdersScreen />
    </ShownPlace>
  );
}

function open(search: string): void {
  navigateTo(`/pages/order/index${search}`);
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <Followed />
      </QueryClientProvider>
    </I18nProvider>,
  );
}
const button = () => screen.queryByRole("button", { name: "Export as CSV" });

it.each([
  ["?tab=history", { wallet: "practice" }],
  [
    "?tab=history&symbol=EURUSD&outcome=won&dates=chosen&from=2026-11-01&to=2026-11-02",
    {
      wallet: "practice",
      symbol: "EURUSD",
      outcome: "won",
      from: String(Date.UTC(2026, 10, 1)),
      to: String(Date.UTC(2026, 10, 3) - 1),
    },
  ],
])("exports what the history at %s shows", async (search, fields) => {
  open(search);
  fireEvent.click(button()!);
  await waitFor(() => expect(exported).toEqual([fields]));
  expect(listed).toMatchObject(fields);
});

it("offers the export beside the history only, because running orders aren't in it", async () => {
  open("");
  expect(button()).toBeNull();
  fireEvent.click(screen.getByRole("radio", { name: "History" }));
  await waitFor(() => expect(button()).not.toBeNull());
});
