import { plainWords } from "@fairtick/ui/search-words.ts";
import { useInstruments } from "../../data/instruments.ts";
import { usePositions } from "../../data/orders.ts";
import { useLoggedIn } from "../../data/session.ts";
import { useHistory } from "../../data/trading.ts";
import { useWallet } from "../../data/wallet.ts";
import { formatMoney, formatTime } from "../../shared/format.ts";
import { useText, type Text } from "../../shared/i18n.ts";
import { instrumentWords } from "../../shared/instrument-words.ts";
import type { Destination } from "../../shared/navigation.tsx";

/** A destination of the jump dialog. */
export interface Goal {
  readonly key: string;
  readonly name: string;
  /** Its kind, in words: a product, a page or an order. */
  readonly what: string;
  readonly destination: Destination;
}

/** Pages open to everyone, and under `member` those that need a login. */
const PAGES = {
  open: [
    ["shell.tab.home", "/pages/home/index"],
    ["market.title", "/pages/market/index"],
    ["shell.tab.trade", "/pages/trade/index"],
    ["fairness.title", "/pages/fairness/index"],
    ["mine.settingsTitle", "/pages/settings/index"],
    ["mine.language", "/pages/user/SelectLanguage"],
    ["notice.title", "/pages/notice/index"],
    ["help.title", "/pages/kf/index"],
    ["install.title", "/pages/download/index"],
  ],
  member: [
    ["orders.title", "/pages/order/index"],
    ["mine.fundDetails", "/pages/assets/index"],
    ["home.deposit", "/pages/rk/index"],
    ["withdraw.title", "/pages/qk/index"],
    ["figures.title", "/pages/user/figures"],
    ["alerts.title", "/pages/market/alerts"],
    ["mine.title", "/pages/user/index"],
    ["center.title", "/pages/user/Center"],
    ["identity.title", "/pages/auth/index"],
    ["mine.security", "/pages/auth/Safe"],
    ["limits.title", "/pages/settings/limits"],
    ["invite.title", "/pages/share/index"],
  ],
} as const;

/** Returns the destinations that match the typed words, products first; all of them if nothing is typed. */
export function useGoals(words: string): readonly Goal[] {
  const t = useText();
  const loggedIn = useLoggedIn();
  const sought = plainWords(words);
  const goals = [...useProductGoals(t), ...pageGoals(t, loggedIn), ...useOrderGoals(t)];
  return sought === "" ? goals : goals.filter(({ name, what }) => plainWords(`${name} ${what}`).includes(sought));
}

function useProductGoals(t: Text): readonly Goal[] {
  return (useInstruments().data ?? []).map((instrument) => ({
    key: instrument.symbol,
    name: instrument.name,
    what: instrumentWords(t, instrument),
    destination: { to: "/pages/trade/index", search: { symbol: instrument.symbol } },
  }));
}

function pageGoals(t: Text, loggedIn: boolean): readonly Goal[] {
  const pages = loggedIn ? [...PAGES.open, ...PAGES.member] : PAGES.open;
  return pages.map(([name, to]) => ({ key: to, name: t(name), what: t("desk.jumpPage"), destination: { to } }));
}

/** Open orders and the newest settled ones. */
function useOrderGoals(t: Text): readonly Goal[] {
  const wallet = useWallet();
  const instruments = useInstruments().data;
  const open = usePositions(wallet).data?.items ?? [];
  const settled = useHistory(wallet, {}).data?.pages[0]?.items ?? [];
  return [...open, ...settled].map((order) => {
    const name = instruments?.find(({ symbol }) => symbol === order.symbol)?.name ?? order.symbol;
    const state = t(order.outcome === null ? "orders.running" : `orders.outcome.${order.outcome}`);
    return {
      key: order.orderNo,
      name: `${name} · ${formatMoney(order.stake)} · ${formatTime(order.acceptedAt)}`,
      what: `${state} · ${order.orderNo}`,
      destination: {
        to: "/pages/order/index",
        search: { tab: order.outcome === null ? "positions" : "history", orderNo: order.orderNo },
      },
    };
  });
}
