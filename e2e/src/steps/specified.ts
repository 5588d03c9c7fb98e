/** Routes of the specification that a visitor can open. */
export const VISITOR_ROUTES: readonly string[] = [
  "/pages/home/index",
  "/pages/market/index",
  "/pages/trade/index",
  "/pages/index/index",
  "/pages/index/Register",
  "/pages/index/SelectRegion",
  "/pages/index/ForgetPwd",
  "/pages/kf/index",
  "/pages/notice/index",
  "/pages/notice/xieyi",
  "/pages/notice/xieyi1",
  "/pages/user/SelectLanguage",
  "/pages/download/index",
];

/** Routes that a member with some history can open; together with the visitor's, all routes in the specification. */
export const MEMBER_ROUTES: readonly string[] = [
  "/pages/home/index",
  "/pages/market/index",
  "/pages/trade/index",
  "/pages/order/index",
  "/pages/user/index",
  "/pages/rk/SelectCard",
  "/pages/rk/index",
  "/pages/rk/bankrk",
  "/pages/rk/bankhz",
  "/pages/rk/szrk",
  "/pages/rk/szrk1",
  "/pages/rk/szhz",
  "/pages/qk/index",
  "/pages/qk/qk",
  "/pages/auth/index",
  "/pages/auth/Auth",
  "/pages/auth/Safe",
  "/pages/auth/SetTradePwd",
  "/pages/auth/SetLoginPwd",
  "/pages/share/index",
  "/pages/kf/index",
  "/pages/notice/index",
  "/pages/notice/nDetail",
  "/pages/user/Center",
  "/pages/user/SelectLanguage",
  "/pages/trade/trade",
  "/pages/download/index",
  "/pages/assets/index",
];

/** A route of the specification and its document title, which follows the product's name on two of them. */
export interface SpecifiedScreen {
  readonly route: string;
  readonly title: string;
  /** Words on it that tell it from another screen with the same title. */
  readonly says?: string;
  /** Also shown to visitors. */
  readonly isOpen?: true;
}

/** All routes of the specification, in the same order. */
export const SPECIFIED_SCREENS: readonly SpecifiedScreen[] = [
  { route: "/pages/home/index", title: "Home", isOpen: true },
  { route: "/pages/market/index", title: "Market", isOpen: true },
  { route: "/pages/trade/index", title: "Trade", isOpen: true },
  { route: "/pages/order/index", title: "Orders" },
  { route: "/pages/user/index", title: "Mine" },
  { route: "/pages/index/index", title: "Log in", isOpen: true },
  { route: "/pages/index/Register", title: "Create account", isOpen: true },
  { route: "/pages/index/SelectRegion", title: "Select country/region", isOpen: true },
  { route: "/pages/index/ForgetPwd", title: "Forgot password", isOpen: true },
  { route: "/pages/rk/SelectCard", title: "Select a receiving card" },
  { route: "/pages/rk/index", title: "Deposit", says: "Bank remittance" },
  { route: "/pages/rk/bankrk", title: "Bank remittance", says: "Fiat currency" },
  { route: "/pages/rk/bankhz", title: "Bank remittance", says: "No deposit selected" },
  { route: "/pages/rk/szrk", title: "Deposit USDT" },
  { route: "/pages/rk/szrk1", title: "Crypto receipt" },
  { route: "/pages/rk/szhz", title: "Deposit", says: "No deposit selected" },
  { route: "/pages/qk/index", title: "Withdraw" },
  { route: "/pages/qk/qk", title: "Withdraw USDT" },
  { route: "/pages/auth/index", title: "Identity verification", says: "Face recognition" },
  { route: "/pages/auth/Auth", title: "Identity verification", says: "Last name" },
  { route: "/pages/auth/Safe", title: "Security center" },
  { route: "/pages/auth/SetTradePwd", title: "Change transaction password" },
  { route: "/pages/auth/SetLoginPwd", title: "Change login password" },
  { route: "/pages/share/index", title: "Invite people" },
  { route: "/pages/kf/index", title: "Help center", isOpen: true },
  { route: "/pages/notice/index", title: "Notices", says: "Announcements", isOpen: true },
  { route: "/pages/notice/xieyi", title: "Privacy policy", isOpen: true },
  { route: "/pages/notice/xieyi1", title: "User agreement", isOpen: true },
  { route: "/pages/notice/nDetail", title: "Notices", says: "No notice selected", isOpen: true },
  { route: "/pages/user/Center", title: "Personal center" },
  { route: "/pages/user/SelectLanguage", title: "Language", isOpen: true },
  { route: "/pages/trade/trade", title: "Order" },
  { route: "/pages/download/index", title: "Download the app", isOpen: true },
  { route: "/pages/assets/index", title: "Fund details" },
];
