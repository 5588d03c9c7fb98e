import * as v from "valibot";
import { defineCall } from "../member-call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";

export const userInfo = defineCall({
  path: "user/info",
  access: "member",
  summary: "Returns the logged-in member.",
  input: v.object({}),
  output: s.userInfo,
  idempotent: true,
  limit: "read",
});

export const userSummary = defineCall({
  path: "user/summary",
  access: "member",
  summary: "Returns one wallet's figures.",
  input: v.object({ wallet: f.wallet }),
  output: s.summary,
  idempotent: true,
  limit: "read",
});

export const userSetTradePassword = defineCall({
  path: "user/setTradePassword",
  access: "member",
  summary: "Sets the trade password with the login password, or changes it with the old one.",
  input: v.object({
    password: f.tradePassword,
    confirmPassword: f.tradePassword,
    /** Required if a transaction password is set. */
    oldPassword: v.optional(f.tradePassword),
    /** Required if no transaction password is set yet. */
    loginPassword: v.optional(f.password),
  }),
  output: s.nothing,
  idempotent: false,
  limit: "signIn",
});

export const userResetTradePassword = defineCall({
  path: "user/resetTradePassword",
  access: "member",
  summary: "Sets a forgotten trade password by a code and the login password.",
  input: v.object({
    channel: f.channel,
    code: f.code,
    loginPassword: f.password,
    password: f.tradePassword,
    confirmPassword: f.tradePassword,
    secondFactor: v.optional(f.secondFactor),
  }),
  output: s.nothing,
  idempotent: false,
  limit: "signIn",
});

export const userChangeLoginPassword = defineCall({
  path: "user/changeLoginPassword",
  access: "member",
  summary: "Changes the login password. The member's other sessions end.",
  input: v.object({ oldPassword: f.password, password: f.password, confirmPassword: f.password }),
  output: s.nothing,
  idempotent: false,
  limit: "signIn",
});

export const userSetWallet = defineCall({
  path: "user/setWallet",
  access: "member",
  summary: "Chooses the wallet in view.",
  input: v.object({ wallet: f.wallet }),
  output: s.nothing,
  idempotent: true,
  limit: "write",
});

export const userRefillPractice = defineCall({
  path: "user/refillPractice",
  access: "member",
  summary: "Refills the practice wallet to 10,000.00 if it is below 1,000.00.",
  input: v.object({ clientId: f.clientId }),
  output: s.nothing,
  idempotent: true,
  limit: "write",
});

export const userSetLanguage = defineCall({
  path: "user/setLanguage",
  access: "member",
  summary: "Chooses the language of mails and messages.",
  input: v.object({ lang: f.language }),
  output: s.nothing,
  idempotent: true,
  limit: "write",
});

export const userSetName = defineCall({
  path: "user/setName",
  access: "member",
  summary: "Sets the name shown instead of the masked account.",
  input: v.object({ username: f.line(32) }),
  output: s.nothing,
  idempotent: true,
  limit: "write",
});

const settings = {
  theme: v.picklist(["system", "light", "dark"]),
  /** Percentage of the usual size. */
  textSize: v.picklist(["100", "115", "130", "150", "175", "200"]),
  /** `auto`: red up in zh, zhs, ri and han, green up elsewhere. */
  priceColours: v.picklist(["auto", "greenUp", "redUp"]),
};
const settingsOutput = v.object({
  ...settings,
  sounds: v.boolean(),
  haptics: v.boolean(),
  confirmOrders: v.boolean(),
  /**
   * Whether sealed orders are revealed only once their exit tick is signed, instead of as soon as the house is bound to
   * them.
   */
  sealUntilEnd: v.boolean(),
  notifications: v.boolean(),
});

export const userSettings = defineCall({
  path: "user/settings",
  access: "member",
  summary: "Returns the member's settings.",
  input: v.object({}),
  output: settingsOutput,
  idempotent: true,
  limit: "read",
});

export const userSetSettings = defineCall({
  path: "user/setSettings",
  access: "member",
  summary: "Changes the given settings. The answer has all of them.",
  input: v.object({
    theme: v.optional(settings.theme),
    textSize: v.optional(settings.textSize),
    priceColours: v.optional(settings.priceColours),
    sounds: v.optional(f.flag),
    haptics: v.optional(f.flag),
    confirmOrders: v.optional(f.flag),
    sealUntilEnd: v.optional(f.flag),
    notifications: v.optional(f.flag),
  }),
  output: settingsOutput,
  idempotent: true,
  limit: "write",
});

/**
 * Limits that members set for themselves; null means none. A lower limit applies at once, a higher one after 24 hours;
 * until then it is listed in `pending`.
 */
export const limits = v.object({
  dailyLoss: v.nullable(s.money),
  dailyStake: v.nullable(s.money),
  sessionMinutes: v.nullable(s.count),
  coolOffUntil: v.nullable(s.time),
  excludedUntil: v.nullable(s.time),
  pending: v.array(
    v.object({
      limit: v.picklist(["dailyLoss", "dailyStake", "sessionMinutes"]),
      value: v.nullable(v.union([s.money, s.count])),
      at: s.time,
    }),
  ),
});

export const userLimits = defineCall({
  path: "user/limits",
  access: "member",
  summary: "Returns the limits in force, and raised ones with the time from which they apply.",
  input: v.object({}),
  output: limits,
  idempotent: true,
  limit: "read",
});

export const userSetLimits = defineCall({
  path: "user/setLimits",
  access: "member",
  summary: "Lowers limits at once, or raises them after 24 hours. `none` removes one.",
  input: v.object({
    dailyLoss: v.optional(f.limitAmount),
    dailyStake: v.optional(f.limitAmount),
    sessionMinutes: v.optional(f.limitMinutes),
    coolOffUntil: v.optional(f.instant),
  }),
  output: limits,
  idempotent: true,
  limit: "write",
});

export const userSelfExclude = defineCall({
  path: "user/selfExclude",
  access: "member",
  summary: "Stops new orders until a moment that the member can't bring forward.",
  input: v.object({ until: f.instant }),
  output: limits,
  idempotent: true,
  limit: "write",
});

export const userFigures = defineCall({
  path: "user/figures",
  access: "member",
  summary: "Returns the member's own results by week, together with the break-even rate.",
  input: v.object({ wallet: f.wallet }),
  output: v.object({
    weeks: v.array(
      v.object({
        start: s.time,
        orders: s.count,
        won: s.count,
        lost: s.count,
        tied: s.count,
        voided: s.count,
        staked: s.money,
        profit: s.money,
      }),
    ),
    breakEven: v.nullable(s.rateText),
    ownRate: v.nullable(s.rateText),
  }),
  idempotent: true,
  limit: "read",
});

export const userBalances = defineCall({
  path: "user/balances",
  access: "member",
  summary: "A wallet's total at the end of each UTC day, at most 30, and what the daily limits count today.",
  input: v.object({ wallet: f.wallet }),
  output: v.object({
    /** Oldest first, from the day of the wallet's first movement. The last entry is today, as of now. */
    days: v.array(v.object({ start: s.time, total: s.money })),
    stakedToday: s.money,
    /** Losses of today including fees, plus the stakes of running orders. */
    countedLost: s.money,
  }),
  idempotent: true,
  limit: "read",
});

export const userExportData = defineCall({
  path: "user/exportData",
  access: "member",
  summary: "Exports everything kept about the member as an archive.",
  input: v.object({ loginPassword: f.password, secondFactor: v.optional(f.secondFactor) }),
  output: s.bytes,
  file: "download",
  idempotent: false,
  limit: "heavy",
});

export const userWithdrawConsent = defineCall({
  path: "user/withdrawConsent",
  access: "member",
  summary: "Withdraws consent to keeping data that the law doesn't require.",
  input: v.object({ loginPassword: f.password }),
  output: s.nothing,
  idempotent: true,
  limit: "signIn",
});

export const userClose = defineCall({
  path: "user/close",
  access: "member",
  summary: "Closes the account once its orders are settled.",
  input: v.object({ loginPassword: f.password }),
  output: s.nothing,
  idempotent: true,
  limit: "signIn",
});

export const userLiabilityPath = defineCall({
  path: "user/liabilityPath",
  access: "member",
  summary: "Returns the member's path in the sum tree of what the house owed on a day.",
  input: v.object({ day: f.day }),
  output: v.object({
    day: s.text,
    leaf: v.object({ amount: s.money, nonce: s.text }),
    path: v.array(v.object({ side: v.picklist(["left", "right"]), sum: s.money, hash: s.text })),
    root: v.object({ sum: s.money, hash: s.text }),
    /** The day's entry in the public log with its proof; null while it isn't in the log. */
    logged: v.nullable(v.object({ entry: s.text, proof: v.nullable(s.text) })),
  }),
  idempotent: true,
  limit: "read",
});
