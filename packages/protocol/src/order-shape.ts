import * as v from "valibot";
import * as f from "./fields.ts";
import { count, money, priceText, rateText, text, time } from "./plain-shapes.ts";

/** An order as calls and the stream show it, and the answer to placing one. */

export const voidReason = v.picklist(["NO_ENTRY_TICK", "LIMIT_PASSED", "NO_TICK_BETWEEN", "STALE_EXIT"]);

export const order = v.object({
  orderNo: text,
  clientOrderId: text,
  wallet: f.wallet,
  symbol: text,
  /** Null while the order is sealed. */
  direction: v.nullable(f.direction),
  /** Whether its direction was sealed when it was placed. */
  sealed: v.boolean(),
  stake: money,
  fee: money,
  payoutRate: rateText,
  limitPrice: v.nullable(priceText),
  /** Duration in seconds. */
  duration: count,
  state: v.picklist(["accepted", "open", "settled"]),
  /** `unrevealed`: sealed and never revealed, which costs the same as a lost order. */
  outcome: v.nullable(v.picklist(["won", "lost", "tied", "voided", "unrevealed"])),
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
  /**
   * The server's time when it answered, for countdowns. It is the only field that differs between two answers about an
   * unchanged order.
   */
  serverTime: time,
});
export type Order = v.InferOutput<typeof order>;

/** Proof of what was agreed and when. Null, or null fields, until there is a public log. */
export const acceptance = v.nullable(
  v.object({
    batchNo: v.nullable(text),
    acceptedAt: v.nullable(time),
    place: v.nullable(count),
    /** How many commitments the batch has, and how many of them are orders. The places after those are refusals. */
    count: v.nullable(count),
    accepted: v.nullable(count),
    path: v.nullable(v.array(text)),
    nonce: v.nullable(text),
    root: v.nullable(text),
    signature: v.nullable(text),
    key: v.nullable(text),
  }),
);
/** The reveal; null for an order that became void before it was revealed, when there was nothing to reveal any more. */
const reveal = v.nullable(v.object({ at: time, signature: v.nullable(text), key: v.nullable(text) }));

/** A revealed order with the house's signed acknowledgment of the reveal, as docs/verification.md describes it. */
export const revealedOrder = v.object({ ...order.entries, reveal });
export type RevealedOrder = v.InferOutput<typeof revealedOrder>;

/** The answer if no one is logged in: the acknowledgment, and nothing about the order that the caller didn't send. */
export const revealedBare = v.object({
  orderNo: text,
  direction: f.direction,
  limitPrice: v.nullable(priceText),
  reveal,
});
export type RevealedBare = v.InferOutput<typeof revealedBare>;

export const placedOrder = v.object({ ...order.entries, acceptance });
export type PlacedOrder = v.InferOutput<typeof placedOrder>;
