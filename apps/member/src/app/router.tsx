import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  redirect,
  type RouteComponent,
} from "@tanstack/react-router";
import { showToast } from "@fairtick/ui";
import { LOGIN_ADDRESS, sessionToken } from "../data/session.ts";
import { activateAllWords, text } from "../shared/i18n.ts";
import { LoadFailed } from "./LoadFailed.tsx";
import { Shell } from "./Shell.tsx";

/** How long the notice of a missing or ended session stands. */
const LOGIN_EXPIRED_MS = 1800;

/** Says that a new login is needed, in the specification's words. */
export function sayLoginExpired(): void {
  showToast(text("common.loginExpired"), LOGIN_EXPIRED_MS);
}

/** Sends a visitor to the login screen, which afterwards leads to the place that was wanted. */
async function membersOnly({ location }: { readonly location: { readonly href: string } }): Promise<void> {
  await activateAllWords();
  if (sessionToken() !== null) return;
  sayLoginExpired();
  // oxlint-disable-next-line typescript/only-throw-error -- the router's way to lead elsewhere
  throw redirect({ to: LOGIN_ADDRESS, search: { next: location.href }, replace: true });
}

type Search = Record<string, string>;
/** Query values are kept as text: `?orderNo=123` is not a number. */
function textSearch(search: Record<string, unknown>): Search {
  return Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)]));
}

const root = createRootRoute({ component: Shell, errorComponent: LoadFailed, validateSearch: textSearch });

/** A screen anybody may see. */
function open<const Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => root, path, component, beforeLoad: () => activateAllWords() });
}

/** A screen for members; a visitor is sent to the login. */
function guarded<const Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => root, path, component, beforeLoad: membersOnly });
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
const safe = lazyRouteComponent(() => import("../screens/safe/SafeScreen.tsx"), "SafeScreen");
const tradePassword = lazyRouteComponent(
  () => import("../screens/passwords/TradePasswordScreen.tsx"),
  "TradePasswordScreen",
);
const loginPassword = lazyRouteComponent(
  () => import("../screens/passwords/LoginPasswordScreen.tsx"),
  "LoginPasswordScreen",
);

const help = lazyRouteComponent(() => import("../screens/help/HelpScreen.tsx"), "HelpScreen");
const agreement = lazyRouteComponent(() => import("../screens/notice/LegalScreens.tsx"), "AgreementScreen");
const privacy = lazyRouteComponent(() => import("../screens/notice/LegalScreens.tsx"), "PrivacyScreen");

const tradeTab = lazyRouteComponent(() => import("../screens/trade-tab/TradeTabScreen.tsx"), "TradeTabScreen");
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
const order = lazyRouteComponent(() => import("../screens/order/OrderScreen.tsx"), "OrderScreen");

/** Every screen is its own chunk. A route is listed when its screen exists. */
const routeTree = root.addChildren([
  createRoute({ getParentRoute: () => root, path: "/", component: home }),
  createRoute({ getParentRoute: () => root, path: "/pages/home/index", component: home }),
  open("/pages/market/index", market),
  guarded("/pages/user/index", mine),
  open("/pages/index/index", login),
  open("/pages/index/Register", registration),
  open("/pages/index/SelectRegion", region),
  open("/pages/index/ForgetPwd", forgot),
  guarded("/pages/auth/Safe", safe),
  guarded("/pages/auth/SetTradePwd", tradePassword),
  guarded("/pages/auth/SetLoginPwd", loginPassword),
  open("/pages/user/SelectLanguage", language),
  open("/pages/settings/index", settings),
  open("/pages/kf/index", help),
  open("/pages/notice/xieyi", privacy),
  open("/pages/notice/xieyi1", agreement),
  open("/pages/trade/index", tradeTab),
  guarded("/pages/trade/trade", order),
  guarded("/pages/order/index", orders),
  guarded("/pages/assets/index", assets),
  guarded("/pages/rk/index", deposit),
  guarded("/pages/rk/szrk", cryptoDeposit),
  guarded("/pages/rk/szhz", depositDetail),
]);

export const router = createRouter({
  routeTree,
  history: createHashHistory(),
  // The first screen stands in the page already; later ones keep the old screen until their chunk is there.
  defaultPendingMs: 1000,
  defaultErrorComponent: LoadFailed,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: false,
});

/** An address of no screen, mistyped or of another version: home, rather than an empty page. */
function NotFound() {
  return <Navigate to="/pages/home/index" replace />;
}
