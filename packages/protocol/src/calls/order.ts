import * as v from "valibot";
import { defineCall } from "../member-call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";

const terms = {
  symbol: f.symbol,
  stake: f.usd,
  duration: f.duration,
  wallet: f.wallet,
};
/** The fields that a sealed order has in place of direction and limit price. */
const sealed = {
  seal: f.hash,
  deviceId: f.opaqueId,
  seenSlot: f.slot,
  seenHash: f.hash,
  signature: f.deviceSignature,
};
const span = { from: v.optional(f.instant), to: v.optional(f.instant) };

export const orderQuote = defineCall({
  path: "order/quote",
  access: "public",
  summary:
    "Returns what an order would pay and cost, before it is placed. `available` is given for a logged-in member.",
  // Up and down have the same terms, so the direction is optional here.
  input: v.object({ ...terms, direction: v.optional(f.direction) }),
  output: v.object({
    payoutRate: s.rateText,
    payout: s.money,
    fee: s.money,
    feeRate: s.rateText,
    profit: s.money,
    cost: s.money,
    /** Win rate at which the member breaks even. */
    breakEven: s.rateText,
    minStake: s.money,
    maxStake: s.money,
    available: v.optional(s.money),
    /** When the order would expire if its entry tick came now. */
    expiresAt: s.time,
  }),
  idempotent: true,
  limit: "read",
});

export const orderPlace = defineCall({
  path: "order/place",
  access: "member",
  summary:
    "Places an order: in the open with its direction, or sealed with `seal`, `deviceId`, `seenSlot`, `seenHash`, `signature`, `payoutRate` and `fee`. The same client order id returns the same order again and never a second one. Until its entry, every field except `serverTime` is as in the first answer.",
  input: v.object({
    ...terms,
    direction: v.optional(f.direction),
    ...v.partial(v.object(sealed)).entries,
    limitPrice: v.optional(f.price),
    payoutRate: v.optional(f.rate),
    fee: v.optional(f.usd),
    clientOrderId: f.clientId,
  }),
  output: s.placedOrder,
  idempotent: true,
  limit: "order",
});

export const orderReveal = defineCall({
  path: "order/reveal",
  // The nonce proves who made the order. A service worker, which has no session, reveals it if the page is closed.
  access: "public",
  summary:
    "Opens a sealed order: sends its direction and limit price with the nonce that seals them. Possible until a week after its expiry; repeating it returns the same answer. Without a session, `userId` names the order's member, and the answer has only the signed acknowledgment and what was sent.",
  input: v.object({
    orderNo: f.opaqueId,
    nonce: f.hash,
    direction: f.direction,
    limitPrice: v.optional(f.price),
    /** The order's member, if no one is logged in. */
    userId: v.optional(f.opaqueId),
  }),
  output: v.union([s.revealedOrder, s.revealedBare]),
  idempotent: true,
  limit: "order",
});

export const orderPositions = defineCall({
  path: "order/positions",
  access: "member",
  summary: "Lists running orders, newest first.",
  input: v.object({ wallet: f.wallet, ...s.pageInput, symbol: v.optional(f.symbol), ...span }),
  output: s.page(s.order),
  idempotent: true,
  limit: "read",
});

/** Filters of settled orders, the same in the list and in the exported file. */
const settledFilters = { symbol: v.optional(f.symbol), outcome: v.optional(f.outcome), ...span };

export const orderHistory = defineCall({
  path: "order/history",
  access: "member",
  summary:
    "Lists settled orders, newest first, with the totals of all that match the filters. Times are times of acceptance.",
  input: v.object({ wallet: f.wallet, ...s.pageInput, ...settledFilters }),
  output: v.object({
    ...s.page(s.order).entries,
    totals: v.object({ count: s.count, staked: s.money, fees: s.money, profit: s.money }),
  }),
  idempotent: true,
  limit: "read",
});

export const orderDetail = defineCall({
  path: "order/detail",
  access: "member",
  summary: "Returns one order of the member.",
  input: v.object({ orderNo: f.opaqueId }),
  output: s.order,
  idempotent: true,
  limit: "read",
});

export const orderReceipt = defineCall({
  path: "order/receipt",
  access: "member",
  summary: "Returns the proof of how an order was decided. docs/verification.md describes its fields.",
  input: v.object({ orderNo: f.opaqueId }),
  output: v.record(v.string(), v.unknown()),
  idempotent: true,
  limit: "read",
});

export const orderExport = defineCall({
  path: "order/export",
  access: "member",
  summary: "Exports the settled orders that match the filters as CSV. Times are times of acceptance.",
  input: v.object({ wallet: f.wallet, ...settledFilters }),
  output: s.bytes,
  file: "download",
  idempotent: true,
  limit: "heavy",
});
