import type { Page } from "@playwright/test";
import type { fillMember, Money } from "../steps/filled.ts";
import { expect, onScreen, open } from "../steps/journey.ts";
import { LIVELY } from "../steps/market.ts";
import { isAtDesk } from "../steps/ordering.ts";
import { newWallet } from "../steps/real-money.ts";

export interface Stage {
  readonly screen: string;
  /** Gets there from any screen, in any language. */
  readonly go: () => Promise<void>;
}

export type World = Awaited<ReturnType<typeof fillMember>> & Money;

/** Returns stages without a fixed address: sheets, steps, orders by number, and forms that say what is missing. */
export function stagesOf(page: Page, world: World): readonly Stage[] {
  const screen = onScreen(page);
  const send = () => screen.locator("[type=submit]").last();
  const sheet = screen.getByRole("dialog");
  const at = (route: string, sign: string) => async () => {
    await open(page, route);
    await expect(screen.locator(sign).first()).toBeVisible();
  };
  /** Opens a form and submits it empty. */
  const unfilled = (route: string) => async () => {
    await open(page, route);
    await send().click();
    await expect(screen.locator("[aria-invalid=true]").first()).toBeVisible();
  };
  const withdrawal = async () => {
    // Otherwise the form of the screen before would still be open, at its second question.
    await at("/pages/qk/index", "a[href*=addresses]")();
    await at("/pages/qk/qk?chain=test", "form input")();
    await screen.locator("form input").first().fill(newWallet());
    await send().click();
    await expect(screen.getByTestId("receives")).toBeVisible();
  };

  return [
    {
      screen: "order-running",
      go: at(`/pages/trade/trade?orderNo=${world.running.orderNo}`, "[data-testid=standing]"),
    },
    { screen: "order-result", go: at(`/pages/trade/trade?orderNo=${world.voided.orderNo}`, "[data-testid=outcome]") },
    {
      screen: "order-detail",
      go: async () => {
        await open(page, "/pages/order/index?tab=history");
        await screen.getByTestId("settled").first().click();
        await expect(screen.getByTestId("detail")).toBeVisible();
      },
    },
    {
      screen: "order-limit",
      go: async () => {
        await at(
          `/pages/trade/trade?symbol=${LIVELY.symbol}&direction=down`,
          "[data-testid=pays].down, [data-testid=pays].up",
        )();
        await screen.locator(".order-limit").getByRole("switch").click();
      },
    },
    {
      screen: "order-confirm",
      go: async () => {
        await at(`/pages/trade/trade?symbol=${LIVELY.symbol}&direction=up`, "[data-testid=pays].up")();
        await screen
          .locator(isAtDesk(page) ? ".desk-ticket .toward.up" : "footer.foot button")
          .last()
          .click();
        await expect(screen.getByTestId("confirm")).toBeVisible();
      },
    },
    {
      screen: "product-sheet",
      go: async () => {
        await open(page, `/pages/trade/index?symbol=${LIVELY.symbol}`);
        await screen.locator("h1 button").first().click();
        await expect(sheet).toBeVisible();
      },
    },
    {
      screen: "fund-record",
      go: async () => {
        await open(page, "/pages/assets/index");
        await screen.getByTestId("fund-record").first().click();
        await expect(sheet).toBeVisible();
      },
    },
    { screen: "deposit-one", go: at(`/pages/rk/szhz?depositNo=${world.depositNo}`, "[data-testid=deposit-state]") },
    { screen: "withdraw-unfilled", go: unfilled("/pages/qk/qk?chain=test") },
    { screen: "withdraw-amount", go: withdrawal },
    {
      screen: "withdraw-agree",
      go: async () => {
        await withdrawal();
        await screen.locator("form input").first().fill("20");
        await send().click();
        await expect(screen.locator("input[type=password]").first()).toBeVisible();
      },
    },
    {
      screen: "withdrawal-one",
      go: at(`/pages/qk/qk?withdrawNo=${world.withdrawNo}`, "[data-testid=withdrawal-state]"),
    },
    { screen: "identity-basic-unfilled", go: unfilled("/pages/auth/Auth?step=basic") },
    { screen: "claim-unfilled", go: unfilled("/pages/rk/szrk1?chain=test") },
    { screen: "trade-password-unfilled", go: unfilled("/pages/auth/SetTradePwd") },
    { screen: "login-password-unfilled", go: unfilled("/pages/auth/SetLoginPwd") },
    {
      screen: "notice-one",
      go: async () => {
        await open(page, "/pages/notice/index?kind=message");
        await screen.getByTestId("notice").first().click();
        await expect(screen.locator("main h1, main h2, main p").first()).toBeVisible();
      },
    },
    {
      screen: "help-one",
      go: async () => {
        await open(page, "/pages/kf/index");
        await screen.locator("main ul.group a").first().click();
        await expect(page).toHaveURL(/helpId=/);
      },
    },
    {
      screen: "limit-sheet",
      go: async () => {
        await open(page, "/pages/settings/limits");
        await screen.locator("[data-testid^=limit-]").first().click();
        await expect(sheet).toBeVisible();
      },
    },
    {
      screen: "identity-documents",
      go: async () => {
        await at("/pages/auth/Auth?step=basic", "form input")();
        const names = screen.locator("form input[type=text], form input:not([type])");
        await names.nth(0).fill("Wolfeschlegelsteinhausen");
        await names.nth(1).fill("Maximiliane-Alexandra");
        await screen.locator("form label:has([type=radio])").first().click();
        await screen.locator("form input[type=date]").fill("1990-05-17");
        await send().click();
        await expect(screen.locator("input[type=file]").first()).toBeAttached();
      },
    },
    {
      screen: "leave-sheet",
      go: async () => {
        await open(page, "/pages/user/data");
        await screen.locator("main button").last().click();
        await expect(sheet).toBeVisible();
      },
    },
  ];
}
