// @vitest-environment jsdom
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { queryClient } from "../../data/queries.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { currentPlace, navigateTo, ShownPlace } from "../../shared/navigation.tsx";
import { AlertsScreen } from "./AlertsScreen.tsx";

const EURUSD = {
  symbol: "EURUSD",
  name: "EUR/USD",
  kind: "fx",
  decimals: 5,
  open: true,
  suspended: false,
  nextChange: null,
  price: "1.08500",
  priceAt: 1,
  seq: 1,
  dayOpen: "1.08500",
  changeToday: "0",
};

let answerProducts: () => Response;
const ok = (data: unknown) => Response.json({ code: 200, msg: "", data });

beforeEach(async () => {
  localStorage.setItem("exchange2508Token", "token");
  vi.stubGlobal("fetch", (url: string) => {
    if (url.endsWith("market/instruments")) return Promise.resolve(answerProducts());
    return url.endsWith("alert/list") ? Promise.resolve(ok([])) : new Promise(() => {});
  });
  await activateAllWords("en");
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it("offers to load the products again if they couldn't be loaded, and then shows the form", async () => {
  answerProducts = () => Response.json({ code: 503, msg: "not now", data: null });
  navigateTo("/pages/market/alerts");
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <ShownPlace value={currentPlace()}>
          <AlertsScreen />
        </ShownPlace>
      </QueryClientProvider>
    </I18nProvider>,
  );
  const retry = await screen.findByRole("button", { name: /Tap to retry/ });
  expect(screen.queryByRole("button", { name: "Set alert" })).toBeNull();
  answerProducts = () => ok([EURUSD]);
  fireEvent.click(retry);
  await screen.findByRole("button", { name: "Set alert" });
  expect(screen.queryByRole("button", { name: /Tap to retry/ })).toBeNull();
});
