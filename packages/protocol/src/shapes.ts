/** Wire shapes that several calls and the stream share: JSON with amounts and prices as decimal strings. */
import { ERROR_NAMES } from "@fairtick/domain";
import * as v from "valibot";
import * as f from "./fields.ts";
import { identity, type Identity, identityState } from "./identity-shape.ts";
import {
  bytes,
  count,
  exactMoney,
  money,
  nothing,
  page,
  pageInput,
  priceText,
  rateText,
  text,
  time,
  usdtText,
} from "./plain-shapes.ts";
import {
  acceptance,
  type Order,
  order,
  type PlacedOrder,
  placedOrder,
  type RevealedBare,
  revealedBare,
  revealedOrder,
  type RevealedOrder,
  voidReason,
} from "./order-shape.ts";

export {
  acceptance,
  bytes,
  count,
  exactMoney,
  identity,
  type Identity,
  identityState,
  money,
  nothing,
  type Order,
  order,
  page,
  pageInput,
  type PlacedOrder,
  placedOrder,
  type RevealedBare,
  revealedBare,
  revealedOrder,
  type RevealedOrder,
  priceText,
  rateText,
  text,
  time,
  usdtText,
  voidReason,
};

export const standing = v.picklist(["active", "suspended", "excluded", "closed"]);
export const summary = v.object({
  wallet: f.wallet,
  totalAssets: money,
  available: money,
  locked: money,
  /** Debt from reversed deposits, which incoming money pays first. Left out if there is none. */
  owed: v.optional(money),
  todayProfit: money,
  positionMargin: money,
  openPositions: count,
  creditScore: v.pipe(v.number(), v.integer()),
  creditParts: v.array(v.object({ reason: text, points: v.pipe(v.number(), v.integer()) })),
  identityState,
  username: text,
  serverTime: time,
});
export type Summary = v.InferOutput<typeof summary>;

export const instrument = v.object({
  symbol: text,
  name: text,
  kind: v.picklist(["fx", "crypto"]),
  decimals: count,
  /** Whether its session hours allow orders now, regardless of `suspended`. */
  open: v.boolean(),
  suspended: v.boolean(),
  /** When `open` next changes; null if never. */
  nextChange: v.nullable(time),
  minStake: money,
  maxStake: money,
  feeRate: rateText,
  durations: v.array(v.object({ seconds: count, payoutRate: rateText })),
  /** Price of the newest tick; null before the first one. */
  price: v.nullable(priceText),
  priceAt: v.nullable(time),
  seq: v.nullable(count),
  /** Price at 00:00 UTC, the base of today's change. */
  dayOpen: v.nullable(priceText),
  /** Change since 00:00 UTC as a fraction: `0.0012` is 0.12 % up. */
  changeToday: v.nullable(rateText),
  /** Closing prices of the last hours, oldest first. */
  spark: v.array(priceText),
  source: text,
  /** Candles that begin before this moment are examples, made up before the market opened. Left out if there are none. */
  examplesUntil: v.optional(time),
  /** What delays the next price. Left out while prices arrive, or if the cause is unknown. */
  waitsFor: v.optional(v.picklist(["beacon"])),
  /** English title of an added instrument, for which the app has no text of its own. */
  title: v.optional(text),
  /** Titles in other languages, by language code. */
  titles: v.optional(v.record(text, text)),
});
export type Instrument = v.InferOutput<typeof instrument>;

/** `[time, open, high, low, close]` */
export const candle = v.tuple([time, priceText, priceText, priceText, priceText]);
export type Candle = v.InferOutput<typeof candle>;
/** `[seq, time, price]` */
export const tickRow = v.tuple([count, time, priceText]);
export type TickRow = v.InferOutput<typeof tickRow>;

export const userInfo = v.object({
  userId: text,
  username: text,
  account: text,
  region: text,
  standing,
  standingReason: v.optional(text),
  identityState,
  tradePasswordSet: v.boolean(),
  /** When the member froze withdrawals; null if they aren't frozen. */
  frozenSince: v.nullable(time),
  wallet: f.wallet,
  /** False if the region's rules allow only the practice wallet. */
  realWalletOpen: v.boolean(),
  language: f.language,
  /** `messages` counts those of `notices` that are addressed to this member alone; the rest are announcements. */
  unread: v.object({ notices: count, messages: count, support: count }),
  vip: v.optional(
    v.object({
      manager: v.optional(v.object({ name: text, hours: text })),
      analyst: v.optional(v.object({ name: text, hours: text })),
    }),
  ),
});
export type UserInfo = v.InferOutput<typeof userInfo>;

export const signedIn = v.object({
  access_token: text,
  expiresAt: time,
  userInfo: v.object({ ...userInfo.entries, access_token: text }),
});
export type SignedIn = v.InferOutput<typeof signedIn>;

export const alert = v.object({
  alertId: text,
  symbol: text,
  price: priceText,
  direction: f.direction,
  createdAt: time,
  firedAt: v.nullable(time),
});
export type Alert = v.InferOutput<typeof alert>;

export const deposit = v.object({
  depositNo: text,
  method: v.picklist(["bank", "card", "crypto"]),
  state: v.picklist(["processing", "deposited", "failed"]),
  stage: text,
  amount: money,
  createdAt: time,
  reason: v.optional(text),
  reference: v.optional(text),
  card: v.optional(
    v.object({
      cardId: text,
      version: count,
      bank: text,
      bankCode: v.nullable(text),
      holder: text,
      number: text,
      note: text,
      rate: rateText,
    }),
  ),
  fiatAmount: v.optional(text),
  fiatCurrency: v.optional(text),
  rate: v.optional(rateText),
  qr: v.optional(text),
  chain: v.optional(text),
  quantity: v.optional(usdtText),
  txHash: v.optional(text),
  confirmations: v.optional(count),
  /** How many confirmations it takes; left out for chains that report finality themselves. */
  confirmationsNeeded: v.optional(count),
  explorerUrl: v.optional(text),
  expiresAt: v.optional(time),
  /** When it reached its stage. */
  stageAt: time,
  creditedAt: v.optional(time),
  /** The member's newest receipt picture. */
  receiptFileId: v.optional(text),
});
export type Deposit = v.InferOutput<typeof deposit>;

export const withdrawal = v.object({
  withdrawNo: text,
  state: v.picklist(["processing", "withdrawn", "canceled"]),
  stage: text,
  currency: text,
  amount: money,
  fee: money,
  receives: money,
  /** The amount that arrived on the chain, if that is less. */
  arrived: v.optional(usdtText),
  chain: text,
  address: text,
  createdAt: time,
  txHash: v.optional(text),
  confirmations: v.optional(count),
  /** How many confirmations it takes; left out for chains that report finality themselves. */
  confirmationsNeeded: v.optional(count),
  /** A stable name that the app translates, or an operator's own text. */
  reason: v.optional(text),
  /** For the reason `resting`: when it can be approved and paid after a password reset or a lifted freeze. */
  restsUntil: v.optional(time),
  /** For the reason `newAddress`: when it can be approved and paid. */
  paysFrom: v.optional(time),
  explorerUrl: v.optional(text),
  /** When it reached its stage. If two answers differ, the one with the later time is right. */
  stageAt: time,
  /** Whether the member can still cancel it, because it isn't being signed yet. */
  cancelable: v.boolean(),
  approvedAt: v.optional(time),
  sentAt: v.optional(time),
  /** When it was paid, or when the held amount was returned. */
  endedAt: v.optional(time),
});
export type Withdrawal = v.InferOutput<typeof withdrawal>;

export const notice = v.object({
  noticeId: text,
  kind: v.picklist(["announcement", "message"]),
  title: text,
  publishedAt: time,
  read: v.boolean(),
});
export type Notice = v.InferOutput<typeof notice>;

/** What a system message is about, so that it can link there. Deposits and withdrawals come with their number. */
export const noticeSubject = v.variant("kind", [
  v.object({ kind: v.literal("deposit"), depositNo: text }),
  v.object({ kind: v.literal("withdrawal"), withdrawNo: text }),
  v.object({ kind: v.picklist(["identity", "security"]) }),
]);
export type NoticeSubject = v.InferOutput<typeof noticeSubject>;

export const supportMessage = v.object({
  messageId: text,
  from: v.picklist(["member", "operator"]),
  name: text,
  text: v.nullable(text),
  fileId: v.nullable(text),
  /** File name under which a document is saved; null for a picture. */
  fileName: v.nullable(text),
  /** Topic and amount in USD of the member's request; null if there is none. */
  topic: v.nullable(v.picklist(["cardDeposit", "withdrawal", "order", "other"])),
  amount: v.nullable(money),
  /** The client id as sent, by which the sender recognizes the message. */
  clientId: text,
  createdAt: time,
  readAt: v.nullable(time),
});
export type SupportMessage = v.InferOutput<typeof supportMessage>;

export const errorName = v.picklist(ERROR_NAMES);
