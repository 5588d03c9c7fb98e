import { translate, type LanguageCode, type MessageId } from "@fairtick/i18n/server";
import type { Page } from "@playwright/test";
import { expect, onScreen, open } from "./journey.ts";
import { LIVELY } from "./market.ts";

export interface ScreenPlace {
  readonly route: string;
  /** The document's title, which follows the instrument's name if one is shown. */
  readonly title: MessageId;
  readonly withInstrument?: true;
}

/** Screens that anyone can open. */
export const OPEN_SCREENS: readonly ScreenPlace[] = [
  { route: "/pages/home/index", title: "home.title" },
  { route: "/pages/market/index", title: "market.title" },
  { route: `/pages/trade/index?symbol=${LIVELY.symbol}`, title: "trade.title", withInstrument: true },
  { route: "/pages/index/index", title: "account.login" },
  { route: "/pages/index/Register", title: "account.create" },
  { route: "/pages/index/SelectRegion", title: "account.chooseRegion" },
  { route: "/pages/index/ForgetPwd", title: "account.forgotTitle" },
  { route: "/pages/user/SelectLanguage", title: "mine.chooseLanguage" },
  { route: "/pages/settings/index", title: "mine.settingsTitle" },
  { route: "/pages/download/index", title: "install.title" },
  { route: "/pages/kf/index", title: "help.title" },
  { route: "/pages/fairness/index", title: "fairness.title" },
  { route: "/pages/proof/index", title: "proof.title" },
  { route: "/pages/notice/index", title: "notice.title" },
  { route: "/pages/notice/index?kind=message", title: "notice.title" },
  { route: "/pages/auth/freeze", title: "freeze.title" },
  { route: "/pages/notice/xieyi", title: "help.privacy" },
  { route: "/pages/notice/xieyi1", title: "help.agreement" },
];

/** Screens that show a member's own figures. */
export const MEMBER_SCREENS: readonly ScreenPlace[] = [
  { route: "/pages/home/index", title: "home.title" },
  { route: "/pages/market/index", title: "market.title" },
  { route: `/pages/trade/index?symbol=${LIVELY.symbol}`, title: "trade.title", withInstrument: true },
  { route: "/pages/order/index", title: "orders.title" },
  { route: "/pages/order/index?tab=history", title: "orders.title" },
  { route: "/pages/user/index", title: "mine.title" },
  { route: `/pages/trade/trade?symbol=${LIVELY.symbol}`, title: "order.title", withInstrument: true },
  { route: "/pages/assets/index", title: "assets.title" },
  { route: "/pages/rk/index", title: "home.deposit" },
  { route: "/pages/rk/szrk", title: "deposit.cryptoTitle" },
  { route: "/pages/qk/index", title: "withdraw.title" },
  { route: "/pages/qk/qk", title: "withdraw.cryptoTitle" },
  { route: "/pages/qk/addresses", title: "withdraw.book" },
  { route: "/pages/rk/szrk1", title: "bank.claimTitle" },
  { route: "/pages/rk/bankrk", title: "bank.title" },
  { route: "/pages/rk/SelectCard?currency=EUR", title: "bank.chooseCard" },
  { route: "/pages/settings/limits", title: "limits.title" },
  { route: "/pages/user/figures", title: "figures.title" },
  { route: "/pages/user/data", title: "leave.title" },
  { route: "/pages/notice/index", title: "notice.title" },
  { route: "/pages/notice/index?kind=message", title: "notice.title" },
  { route: "/pages/kf/index?tab=chat", title: "chat.title" },
  { route: "/pages/user/Center", title: "center.title" },
  { route: "/pages/auth/index", title: "identity.title" },
  { route: "/pages/auth/Auth", title: "identity.title" },
  { route: "/pages/share/index", title: "invite.title" },
  { route: "/pages/market/alerts", title: "alerts.title" },
  { route: "/pages/auth/Safe", title: "account.security" },
  { route: "/pages/auth/SetTradePwd", title: "account.changePaymentTitle" },
  { route: "/pages/auth/SetLoginPwd", title: "account.changeLoginTitle" },
  { route: "/pages/auth/SecondFactor", title: "factor.title" },
];

/** Opens a screen and waits until it is shown and all its figures have loaded. */
export async function openFilled(page: Page, place: ScreenPlace, lang: LanguageCode = "en"): Promise<void> {
  await open(page, place.route);
  const title = translate(lang, place.title);
  await expect(page).toHaveTitle(place.withInstrument ? `${LIVELY.name} · ${title}` : title);
  await expect(onScreen(page).locator("main")).toBeVisible();
  await expect(onScreen(page).locator(".wait")).toHaveCount(0);
}

/** Returns a file name for a screen's screenshot. */
export function nameOf({ route }: ScreenPlace): string {
  return route
    .replace("/pages/", "")
    .replaceAll(/[/?=&]/g, "-")
    .replaceAll(/-index|-symbol-[A-Z]+/g, "");
}
