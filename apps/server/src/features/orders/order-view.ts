import {
  decideEntry,
  expiryOf,
  formatId,
  formatMoney,
  formatPrice,
  formatRate,
  type AgreedOrder,
  type ClientId,
  type Direction,
  type Instant,
  type Outcome,
  type MemberId,
  type MicroUsd,
  type OrderId,
  type Points,
  type Rate,
  type Tick,
  type VoidReason,
  type Wallet,
} from "@fairtick/domain";
import type { Order } from "@fairtick/protocol";
import { SEALED_COLUMNS, sealedOf } from "../order-devices/index.ts";
import type { TradingConfigs } from "../trading-config/index.ts";

/** A stored order with its outcome, as read by ORDER_SQL. */
export interface OrderRow {
  readonly order_id: bigint;
  readonly member_id: bigint;
  readonly client_order_id: string;
  readonly wallet: Wallet;
  readonly symbol: string;
  /** The direction. Null for a sealed order until it is revealed. */
  readonly direction: Direction | null;
  readonly stake: bigint;
  readonly fee: bigint;
  readonly profit_if_won: bigint;
  readonly payout_rate: number;
  readonly limit_price: bigint | null;
  readonly duration: number;
  readonly accepted_at: bigint;
  readonly config_version: number;
  readonly outcome: Outcome | null;
  readonly void_reason: VoidReason | null;
  readonly profit: bigint | null;
  readonly settled_at: bigint | null;
  readonly entry_seq: bigint | null;
  readonly entry_at: bigint | null;
  readonly entry_price: bigint | null;
  readonly exit_at: bigint | null;
  readonly exit_price: bigint | null;
  readonly seal: Uint8Array | null;
  readonly device_id: bigint | null;
  readonly seen_slot: bigint | null;
  readonly seen_hash: Uint8Array | null;
  readonly signature: Uint8Array | null;
  readonly sealed_through: bigint | null;
  readonly now: bigint;
}

/** SQL for the outcome: an order booked as lost without a direction was never revealed. Uses `orders o`, settlement `s` and reveal `r`. */
export const OUTCOME =
  "CASE WHEN s.outcome = 'lost' AND o.direction IS NULL AND r.order_id IS NULL THEN 'unrevealed' ELSE s.outcome::text END";

/**
 * Columns of an order as shown in calls, for `FROM orders o`. The entry of an open order is derived: the first tick after
 * `acceptedAt`, within ten seconds and below the seal.
 */
export const ORDER_COLUMNS = `o.order_id, o.member_id, coalesce(o.client_order_id, o.client_key::text) AS client_order_id, o.wallet, o.symbol, coalesce(o.direction, r.direction) AS direction, o.stake, o.fee,
  o.profit_if_won, o.payout_rate, coalesce(o.limit_price, r.limit_price) AS limit_price, o.duration, o.accepted_at, o.config_version,
  ${SEALED_COLUMNS}, ${OUTCOME} AS outcome, s.void_reason, s.profit, s.settled_at, coalesce(s.entry_seq, e.seq) AS entry_seq, coalesce(s.entry_at, e.time) AS entry_at,
  coalesce(s.entry_price, e.price) AS entry_price, s.exit_at, s.exit_price, c.sealed_through,
  floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`;

export const ORDER_JOINS = `LEFT JOIN settlements s ON s.member_id = o.member_id AND s.order_id = o.order_id
  LEFT JOIN reveals r ON r.order_id = o.order_id
  LEFT JOIN instrument_clock c ON c.symbol = o.symbol
  LEFT JOIN LATERAL (SELECT t.seq, t.time, t.price FROM ticks t WHERE s.order_id IS NULL AND t.symbol = o.symbol
    AND t.time > o.accepted_at AND t.time <= least(o.accepted_at + 10000, c.sealed_through) ORDER BY t.time LIMIT 1) e ON true`;

/** Converts a row to the form of calls and the stream. */
export function orderView(row: OrderRow, configs: TradingConfigs): Order {
  const order = agreedOrder(row);
  const { decimals } = configs.termsOf(order.configVersion, order.symbol);
  const price = (points: bigint | null) => (points === null ? null : formatPrice(points as Points, decimals));
  const entry = entryOf(row, order);
  const running = entry === null ? "accepted" : "open";
  return {
    ...agreedView(order, decimals),
    state: row.outcome === null ? running : "settled",
    outcome: row.outcome,
    entryAt: entry === null ? null : Number(entry.time),
    entryPrice: price(entry?.price ?? null),
    expiresAt: entry === null ? null : Number(expiryOf(entry, order.durationSeconds)),
    exitAt: row.exit_at === null ? null : Number(row.exit_at),
    exitPrice: price(row.exit_price),
    settledAt: row.settled_at === null ? null : Number(row.settled_at),
    profit: row.profit === null ? null : formatMoney(row.profit as MicroUsd),
    voidReason: row.void_reason,
    serverTime: Number(row.now),
  };
}

/** Converts an order that has just been accepted to that form. */
export function acceptedView(order: AgreedOrder, configs: TradingConfigs): Order {
  const { decimals } = configs.termsOf(order.configVersion, order.symbol);
  return {
    ...agreedView(order, decimals),
    state: "accepted",
    outcome: null,
    entryAt: null,
    entryPrice: null,
    expiresAt: null,
    exitAt: null,
    exitPrice: null,
    settledAt: null,
    profit: null,
    voidReason: null,
    serverTime: Number(order.acceptedAt),
  };
}

function agreedView(order: AgreedOrder, decimals: number) {
  return {
    orderNo: formatId("order", order.orderId),
    clientOrderId: order.clientOrderId,
    wallet: order.wallet,
    symbol: order.symbol,
    direction: order.direction,
    sealed: order.sealed !== null,
    stake: formatMoney(order.stake),
    fee: formatMoney(order.fee),
    payoutRate: formatRate(order.payoutRate),
    limitPrice: order.limitPrice === null ? null : formatPrice(order.limitPrice, decimals),
    duration: order.durationSeconds,
    acceptedAt: Number(order.acceptedAt),
    configVersion: order.configVersion,
  };
}

/**
 * Returns a settled order's entry as stored, and an open order's as the rules decide it. An entry beyond the limit
 * price isn't shown.
 */
function entryOf(row: OrderRow, order: AgreedOrder): Tick | null {
  const { entry_seq: seq, entry_at: time, entry_price: price, sealed_through: sealedThrough } = row;
  if (seq === null || time === null || price === null) return null;
  const entry: Tick = { seq, time: time as Instant, price: price as Points };
  if (row.outcome !== null) return entry;
  return decideEntry(order, entry, (sealedThrough ?? 0n) as Instant).kind === "entered" ? entry : null;
}

function agreedOrder(row: OrderRow): AgreedOrder {
  return {
    orderId: row.order_id as OrderId,
    memberId: row.member_id as MemberId,
    clientOrderId: row.client_order_id as ClientId,
    wallet: row.wallet,
    symbol: row.symbol,
    direction: row.direction,
    sealed: sealedOf(row.seal, row.device_id, row.seen_slot, row.seen_hash, row.signature),
    stake: row.stake as MicroUsd,
    fee: row.fee as MicroUsd,
    payoutRate: BigInt(row.payout_rate) as Rate,
    profitIfWon: row.profit_if_won as MicroUsd,
    limitPrice: row.limit_price as Points | null,
    durationSeconds: row.duration,
    acceptedAt: row.accepted_at as Instant,
    configVersion: row.config_version,
  };
}
