import * as v from "valibot";
import * as f from "./fields.ts";
import { count, money, priceText, rateText, text, time } from "./plain-shapes.ts";

/** An order as calls and the stream show it, and what is answered when it is placed. */

export const voidReason = v.picklist(["NO_ENTRY_TICK", "LIMIT_PASSED", "NO_TICK_BETWEEN", "STALE_EXIT"]);

export const order = v.object({
  orderNo: text,
  clientOrderId: text,
  wallet: f.wallet,
  symbol: text,
  direction: f.direction,
  stake: money,
  fee: money,
  payoutRate: rateText,
  limitPrice: v.nullable(priceText),
  /** Seconds. */
  duration: count,
  state: v.picklist(["accepted", "open", "settled"]),
  outcome: v.nullable(f.outcome),
  acceptedAt: time,
  entryAt: v.nullable(time),
  entryPrice: v.nullable(priceText),
  expiresAt: v.nullable(time),
  exitAt: v.nullable(time),
  exitPrice: v.nullable(priceText),
  /** When the settlement was posted; null until then. */
  settledAt: v.nullable(time),
  /** Net effect on the wallet; null until settled. */
  profit: v.nullable(money),
  voidReason: v.nullable(voidReason),
  configVersion: count,
  /** When the server answered, to set a countdown by: it alone differs between two answers about an unchanged order. */
  serverTime: time,
});
export type Order = v.InferOutput<typeof order>;

/** Proof of what was agreed and when. Null, or null fields, until there is a public log. */
export const acceptance = v.nullable(
  v.object({
    batchNo: v.nullable(text),
    acceptedAt: v.nullable(time),
    place: v.nullable(count),
    /** How many commitments the batch has, and how many of them are orders: places from there on are refusals. */
    count: v.nullable(count),
    accepted: v.nullable(count),
    path: v.nullable(v.array(text)),
    nonce: v.nullable(text),
    root: v.nullable(text),
    signature: v.nullable(text),
    key: v.nullable(text),
  }),
);
export const placedOrder = v.object({ ...order.entries, acceptance });
export type PlacedOrder = v.InferOutput<typeof placedOrder>;
