// @vitest-environment jsdom
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useSyncExternalStore } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { queryClient } from "../../data/queries.ts";
import { logIn } from "../../data/session.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { currentPlace, navigateTo, ShownPlace, watchPlace } from "../../shared/navigation.tsx";
import { ScreenPartsContext } from "../../shared/Screen.tsx";
import { AssetsScreen } from "./AssetsScreen.tsx";

const DEPOSIT = {
  recordNo: "dep_1",
  orderNo: "dep_1",
  time: 1_795_271_400_000,
  currency: "USD",
  type: "deposit",
  amount: "125.00",
  balanceAfter: null,
  remark: "deposit",
  wallet: "real",
  state: "deposited",
};
let realWalletOpen = true;
/** The requests for records, newest last. */
let asked: string[] = [];

function answer(path: string, fields: URLSearchParams): unknown {
  if (path === "auth/login") return { access_token: "t", userInfo: { access_token: "t", userId: "usr_1" } };
  if (path === "user/info") return { userId: "usr_1", realWalletOpen, wallet: "practice", unread: {} };
  if (path !== "fund/records") return null;
  asked.push(`${fields.get("kind")} of ${fields.get("wallet")}`);
  const isThere = fields.get("wallet") === "real" && fields.get("kind") === "deposit";
  return { items: isThere ? [DEPOSIT] : [], nextCursor: null };
}

beforeEach(async () => {
  asked = [];
  realWalletOpen = true;
  vi.stubGlobal("fetch", (url: string, { body }: RequestInit) =>
    Promise.resolve(
      Response.json({
        code: 200,
        msg: "",
        data: answer(url.replace(/^.*\/client\//, ""), new URLSearchParams(body as string)),
      }),
    ),
  );
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  await activateAllWords("en");
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
      <AssetsScreen />
    </ShownPlace>
  );
}

async function open(href = "/pages/assets/index") {
  navigateTo(href);
  await logIn({ account: "a@example.com", password: "slate-harbour-7421" });
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <ScreenPartsContext
          value={{
            strip: "strip of the one in view",
            strips: { practice: "strip of practice", real: "strip of real" },
            walletSwitch: null,
            hasHeader: false,
            inPanel: false,
            banner: null,
          }}
        >
          <Followed />
        </ScreenPartsContext>
      </QueryClientProvider>
    </I18nProvider>,
  );
  await vi.waitFor(() => expect(asked).toContain("all of practice"));
}
const wallet = () => screen.getByRole<HTMLSelectElement>("combobox", { name: "Wallet" });

it("shows the real wallet's deposits although practice is in view, and says whose they are", async () => {
  await open();
  expect(screen.queryByText("strip of practice")).not.toBeNull();
  await vi.waitFor(() => expect(wallet().options).toHaveLength(2));
  fireEvent.click(screen.getByRole("tab", { name: "Deposit records" }));
  await vi.waitFor(() => expect(screen.getByTestId("fund-record").textContent).toContain("+125.00"));
  expect(wallet().value).toBe("real");
  expect(screen.queryByText("strip of real")).not.toBeNull();
  fireEvent.click(screen.getByRole("tab", { name: "All" }));
  await vi.waitFor(() => expect(wallet().value).toBe("practice"));
  expect(screen.queryByText("strip of practice")).not.toBeNull();
});

it("keeps its tab, wallet and dates across a reload", async () => {
  await open();
  await vi.waitFor(() => expect(wallet().options).toHaveLength(2));
  fireEvent.click(screen.getByRole("tab", { name: "Deposit records" }));
  fireEvent.change(wallet(), { target: { value: "practice" } });
  fireEvent.change(screen.getByRole("combobox", { name: "Time" }), { target: { value: "week" } });
  expect(currentPlace().search).toEqual({ tab: "deposit", wallet: "practice", dates: "week" });
  const { href } = currentPlace();
  cleanup();
  navigateTo("/pages/home/index");
  await open(href);
  expect(screen.getByRole("tab", { name: "Deposit records" }).getAttribute("aria-selected")).toBe("true");
  expect(wallet().value).toBe("practice");
  expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Time" }).value).toBe("week");
});

it("keeps a chosen wallet, and practice if there is no other", async () => {
  await open();
  await vi.waitFor(() => expect(wallet().options).toHaveLength(2));
  fireEvent.change(wallet(), { target: { value: "practice" } });
  fireEvent.click(screen.getByRole("tab", { name: "Deposit records" }));
  await vi.waitFor(() => expect(asked).toContain("deposit of practice"));
  cleanup();
  queryClient.clear();
  realWalletOpen = false;
  asked = [];
  await open();
  fireEvent.click(screen.getByRole("tab", { name: "Withdrawal records" }));
  await vi.waitFor(() => expect(asked).toContain("withdraw of practice"));
});
