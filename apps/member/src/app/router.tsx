import { showToast } from "@fairtick/ui";
import { useSyncExternalStore, type ComponentType } from "react";
import { hasLostSession, LOGIN_ADDRESS, sessionToken } from "../data/session.ts";
import { activateWords, text, type Words } from "../shared/i18n.ts";
import {
  currentMove,
  currentPlace,
  navigate,
  navigateTo,
  watchPlace,
  type Path,
  type Place,
} from "../shared/navigation.tsx";
import { placeAfterLogin } from "../shared/place-after-login.ts";
import { LoadFailed } from "./LoadFailed.tsx";
import { changeScreen, type Way } from "./screen-change.ts";
import { tabOf } from "./tabs.tsx";
import { isPhoneWindow } from "./use-width.ts";

/** How long the notice about a missing or ended session is shown. */
const LOGIN_NOTICE_MS = 1800;

/**
 * Opens the login screen, which afterwards leads to `wanted`, and shows why: the session has ended, or there was none.
 */
export function leadToLogin(wanted: string): void {
  showToast(text(hasLostSession() ? "common.loginExpired" : "common.loginFirst"), LOGIN_NOTICE_MS);
  navigate({ to: LOGIN_ADDRESS, search: { next: wanted }, replace: true });
}

/** Leaves the login screen once someone is logged in, here or in another tab. Returns whether it did. */
export function leadOnFromLogin({ path, search }: Place): boolean {
  if (path !== LOGIN_ADDRESS || sessionToken() === null) return false;
  navigateTo(placeAfterLogin(search["next"]), { replace: true });
  return true;
}

interface Route {
  readonly path: Path;
  readonly load: () => Promise<ComponentType>;
  /** The messages that its first view waits for. The others are loaded while it is being read. */
  readonly words: Words;
  readonly membersOnly: (place: Place) => boolean;
}

/** Loads a screen's code when it is first needed. */
function lazyRouteComponent<Name extends string>(
  fetchModule: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
): Route["load"] {
  return async () => (await fetchModule())[name];
}

/** Requests more code once the screen's own is there, because the screen will want it as soon as it is drawn. */
function followedBy(more: () => Promise<unknown>, load: Route["load"]): Route["load"] {
  return async () => {
    const screen = await load();
    // Whoever needs it asks again, and reports a failure.
    more().catch(() => undefined);
    return screen;
  };
}

/** A screen open to everyone. */
function open(path: Path, load: Route["load"]): Route {
  return { path, load, words: "all", membersOnly: () => false };
}

/** A screen for members; visitors are sent to the login. */
function guarded(path: Path, load: Route["load"]): Route {
  return { path, load, words: "all", membersOnly: () => true };
}

const home = lazyRouteComponent(() => import("../screens/home/HomeScreen.tsx"), "HomeScreen");
const login = lazyRouteComponent(() => import("../screens/login/LoginScreen.tsx"), "LoginScreen");
const registration = lazyRouteComponent(() => import("../screens/register/RegisterScreen.tsx"), "RegisterScreen");
const region = lazyRouteComponent(() => import("../screens/region/RegionScreen.tsx"), "RegionScreen");
const forgot = lazyRouteComponent(() => import("../screens/forgot/ForgotScreen.tsx"), "ForgotScreen");
const market = lazyRouteComponent(() => import("../screens/market/MarketScreen.tsx"), "MarketScreen");
const mine = lazyRouteComponent(() => import("../screens/mine/MineScreen.tsx"), "MineScreen");
const language = lazyRouteComponent(() => import("../screens/language/LanguageScreen.tsx"), "LanguageScreen");
const settings = lazyRouteComponent(() => import("../screens/settings/SettingsScreen.tsx"), "SettingsScreen");
const limits = lazyRouteComponent(() => import("../screens/limits/LimitsScreen.tsx"), "LimitsScreen");
const figures = lazyRouteComponent(() => import("../screens/figures/FiguresScreen.tsx"), "FiguresScreen");
const leave = lazyRouteComponent(() => import("../screens/leave/LeaveScreen.tsx"), "LeaveScreen");
const identity = lazyRouteComponent(() => import("../screens/identity/IdentityScreen.tsx"), "IdentityScreen");
const identityForm = lazyRouteComponent(
  () => import("../screens/identity-form/IdentityFormScreen.tsx"),
  "IdentityFormScreen",
);
const share = lazyRouteComponent(() => import("../screens/share/ShareScreen.tsx"), "ShareScreen");
const download = lazyRouteComponent(() => import("../screens/download/DownloadScreen.tsx"), "DownloadScreen");
const center = lazyRouteComponent(() => import("../screens/center/CenterScreen.tsx"), "CenterScreen");
const alerts = lazyRouteComponent(() => import("../screens/alerts/AlertsScreen.tsx"), "AlertsScreen");
const safe = lazyRouteComponent(() => import("../screens/safe/SafeScreen.tsx"), "SafeScreen");
const freeze = lazyRouteComponent(() => import("../screens/freeze/FreezeScreen.tsx"), "FreezeScreen");
const tradePassword = lazyRouteComponent(
  () => import("../screens/passwords/TradePasswordScreen.tsx"),
  "TradePasswordScreen",
);
const secondFactor = lazyRouteComponent(
  () => import("../screens/second-factor/SecondFactorScreen.tsx"),
  "SecondFactorScreen",
);
const loginPassword = lazyRouteComponent(
  () => import("../screens/passwords/LoginPasswordScreen.tsx"),
  "LoginPasswordScreen",
);

const fairness = lazyRouteComponent(() => import("../screens/fairness/FairnessScreen.tsx"), "FairnessScreen");
const proof = lazyRouteComponent(() => import("../screens/proof/ProofScreen.tsx"), "ProofScreen");
const help = lazyRouteComponent(() => import("../screens/help/HelpScreen.tsx"), "HelpScreen");
const notices = lazyRouteComponent(() => import("../screens/notice/NoticesScreen.tsx"), "NoticesScreen");
const notice = lazyRouteComponent(() => import("../screens/notice/NoticeScreen.tsx"), "NoticeScreen");
const agreement = lazyRouteComponent(() => import("../screens/notice/LegalScreens.tsx"), "AgreementScreen");
const privacy = lazyRouteComponent(() => import("../screens/notice/LegalScreens.tsx"), "PrivacyScreen");

const tradeTab = followedBy(
  async () => (await import("../components/chart/chart-ahead.ts")).askChartEarly(),
  lazyRouteComponent(() => import("../screens/trade-tab/TradeTabScreen.tsx"), "TradeTabScreen"),
);
const orders = lazyRouteComponent(() => import("../screens/orders/OrdersScreen.tsx"), "OrdersScreen");
const assets = lazyRouteComponent(() => import("../screens/assets/AssetsScreen.tsx"), "AssetsScreen");
const deposit = lazyRouteComponent(() => import("../screens/deposit/DepositScreen.tsx"), "DepositScreen");
const cryptoDeposit = lazyRouteComponent(
  () => import("../screens/deposit-crypto/CryptoDepositScreen.tsx"),
  "CryptoDepositScreen",
);
const depositDetail = lazyRouteComponent(
  () => import("../screens/deposit-detail/DepositDetailScreen.tsx"),
  "DepositDetailScreen",
);
const withdraw = lazyRouteComponent(() => import("../screens/withdraw/WithdrawScreen.tsx"), "WithdrawScreen");
const cryptoWithdrawal = lazyRouteComponent(
  () => import("../screens/withdraw-crypto/WithdrawCryptoScreen.tsx"),
  "WithdrawCryptoScreen",
);
const withdrawalAddresses = lazyRouteComponent(
  () => import("../screens/withdraw-addresses/AddressesScreen.tsx"),
  "AddressesScreen",
);
const bankDeposit = lazyRouteComponent(
  () => import("../screens/deposit-bank/BankDepositScreen.tsx"),
  "BankDepositScreen",
);
const cardChoice = lazyRouteComponent(
  () => import("../screens/deposit-card-choice/CardChoiceScreen.tsx"),
  "CardChoiceScreen",
);
const depositSlip = lazyRouteComponent(() => import("../screens/deposit-slip/SlipScreen.tsx"), "SlipScreen");
const depositClaim = lazyRouteComponent(() => import("../screens/deposit-claim/ClaimScreen.tsx"), "ClaimScreen");
const order = followedBy(
  () => import("../components/chart/chart-view.ts"),
  lazyRouteComponent(() => import("../screens/order/OrderScreen.tsx"), "OrderScreen"),
);

/** All routes. Each screen is its own chunk. */
const ROUTES: readonly Route[] = [
  { ...open("/", home), words: "first" },
  { ...open("/pages/home/index", home), words: "first" },
  open("/pages/market/index", market),
  guarded("/pages/user/index", mine),
  open("/pages/index/index", login),
  open("/pages/index/Register", registration),
  open("/pages/index/SelectRegion", region),
  open("/pages/index/ForgetPwd", forgot),
  guarded("/pages/user/Center", center),
  guarded("/pages/auth/index", identity),
  guarded("/pages/auth/Auth", identityForm),
  guarded("/pages/auth/Safe", safe),
  open("/pages/auth/freeze", freeze),
  guarded("/pages/auth/SetTradePwd", tradePassword),
  guarded("/pages/auth/SetLoginPwd", loginPassword),
  guarded("/pages/auth/SecondFactor", secondFactor),
  open("/pages/user/SelectLanguage", language),
  open("/pages/settings/index", settings),
  guarded("/pages/settings/limits", limits),
  guarded("/pages/user/figures", figures),
  guarded("/pages/user/data", leave),
  guarded("/pages/share/index", share),
  guarded("/pages/market/alerts", alerts),
  open("/pages/download/index", download),
  open("/pages/kf/index", help),
  open("/pages/fairness/index", fairness),
  open("/pages/proof/index", proof),
  open("/pages/notice/index", notices),
  // Announcements are public; a message belongs to its member.
  { ...open("/pages/notice/nDetail", notice), membersOnly: ({ search }) => search.kind === "message" },
  open("/pages/notice/xieyi", privacy),
  open("/pages/notice/xieyi1", agreement),
  { ...open("/pages/trade/index", tradeTab), words: "trade" },
  { ...guarded("/pages/trade/trade", order), words: "trade" },
  guarded("/pages/order/index", orders),
  guarded("/pages/assets/index", assets),
  guarded("/pages/rk/index", deposit),
  guarded("/pages/rk/szrk", cryptoDeposit),
  guarded("/pages/rk/szrk1", depositClaim),
  guarded("/pages/rk/szhz", depositDetail),
  guarded("/pages/qk/index", withdraw),
  guarded("/pages/qk/qk", cryptoWithdrawal),
  guarded("/pages/qk/addresses", withdrawalAddresses),
  guarded("/pages/rk/bankrk", bankDeposit),
  guarded("/pages/rk/bankhz", depositSlip),
  guarded("/pages/rk/SelectCard", cardChoice),
];

/** The place that is shown and its screen. It stays until the next one's code and messages are loaded. */
export interface Shown {
  readonly place: Place;
  readonly Screen: ComponentType;
}

let shown: Shown | null = null;
const watchers = new Set<() => void>();

/** Returns the screen of a place, or null if it redirects. */
async function screenOf(place: Place): Promise<ComponentType | null> {
  const { path, href } = place;
  const route = ROUTES.find((route) => route.path === path);
  if (!route) {
    // An unknown address, mistyped or from another version: show home rather than an empty page.
    navigate({ to: "/pages/home/index", replace: true });
    return null;
  }
  if (leadOnFromLogin(place)) return null;
  const isShut = () => route.membersOnly(place) && sessionToken() === null;
  try {
    // On a slow network the code takes as long as the messages, so both are requested at once.
    // The workspace of a wide window shows more than the trade screens, and waits for all messages itself.
    const words = activateWords(route.words === "trade" && !isPhoneWindow() ? "all" : route.words);
    const loading = isShut() ? null : route.load();
    loading?.catch(() => undefined);
    await words;
    if (isShut()) {
      leadToLogin(href);
      return null;
    }
    return await (loading ?? route.load());
  } catch {
    return LoadFailed;
  }
}

async function show(): Promise<void> {
  const place = currentPlace();
  const Screen = await screenOf(place);
  // The member may have moved on in the meantime.
  if (Screen === null || place !== currentPlace()) return;
  const draw = () => {
    if (place !== currentPlace()) return;
    shown = { place, Screen };
    shownDepth = currentMove().depth;
    for (const watcher of watchers) watcher();
  };
  const way = shown === null || shown.place.path === place.path ? null : wayTo(place);
  if (way === null) draw();
  else changeScreen(way, draw);
}

/** How deep in the app the shown place is. */
let shownDepth = 0;

/** Returns the direction a screen comes from; null if the browser animated it already, and on wide windows. */
function wayTo({ path }: Place): Way | null {
  const { depth, isDrawn } = currentMove();
  if (isDrawn || !isPhoneWindow()) return null;
  if (depth < shownDepth) return "back";
  return depth === shownDepth || tabOf(path) !== null ? "beside" : "forward";
}

function watchShown(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function useShown(): Shown | null {
  return useSyncExternalStore(watchShown, () => shown);
}

/** Starts following the address. Resolves when the first screen can be rendered. */
export async function startRouting(): Promise<void> {
  const ready = new Promise<void>((resolve) => {
    const stop = watchShown(() => {
      stop();
      resolve();
    });
  });
  watchPlace(() => void show());
  await Promise.all([show(), ready]);
}
