import {
  type ClientId,
  type Direction,
  type Instant,
  type MemberId,
  type MicroUsd,
  type OrderId,
  type Outcome,
  type Points,
  type ProposedOrder,
  type Rate,
  type Tick,
  type VoidReason,
  type Wallet,
} from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import { SEALED_COLUMNS, sealedOf } from "../order-devices/index.ts";
import { OUTCOME } from "../orders/index.ts";

/** An order as it was agreed and settled, with everything that proves it. */
export interface ReceiptOrder {
  readonly order: ProposedOrder;
  readonly acceptedAt: Instant;
  readonly batchNo: bigint;
  readonly place: number;
  /** ORDER_NONCES_BYTES long, or NONCE_BYTES for an order from before sealed orders. */
  readonly nonces: Uint8Array;
  /** What opened a sealed order; null for one placed in the open, and for one that was not revealed. */
  readonly reveal: { readonly nonce: Uint8Array; readonly at: bigint } | null;
  /** The device that signed a sealed order. */
  readonly device: { readonly key: Uint8Array; readonly nonce: Uint8Array; readonly addedAt: bigint } | null;
  /** Null until it is settled. */
  readonly settlement: {
    readonly settledAt: Instant;
    readonly entry: Tick | null;
    readonly exit: Tick | null;
    readonly outcome: Outcome;
    readonly voidReason: VoidReason | null;
    readonly profit: bigint;
    readonly credit: bigint;
  } | null;
}

interface Row {
  readonly client_order_id: string;
  readonly wallet: Wallet;
  readonly symbol: string;
  readonly direction: Direction | null;
  readonly stake: bigint;
  readonly fee: bigint;
  readonly profit_if_won: bigint;
  readonly payout_rate: number;
  readonly limit_price: bigint | null;
  readonly duration: number;
  readonly accepted_at: bigint;
  readonly config_version: number;
  readonly batch_no: bigint;
  readonly batch_place: number;
  readonly nonce: Uint8Array;
  readonly seal: Uint8Array | null;
  readonly device_id: bigint | null;
  readonly seen_slot: bigint | null;
  readonly seen_hash: Uint8Array | null;
  readonly signature: Uint8Array | null;
  readonly opens: Uint8Array | null;
  readonly revealed_at: bigint | null;
  readonly public_key: Uint8Array | null;
  readonly device_nonce: Uint8Array | null;
  readonly added_at: bigint | null;
  readonly outcome: Outcome | null;
  readonly void_reason: VoidReason | null;
  readonly profit: bigint | null;
  readonly credit: bigint | null;
  readonly settled_at: bigint | null;
  readonly entry_seq: bigint | null;
  readonly entry_at: bigint | null;
  readonly entry_price: bigint | null;
  readonly exit_seq: bigint | null;
  readonly exit_at: bigint | null;
  readonly exit_price: bigint | null;
}

/** Reads an order with everything that proves it; null if the member has no such order. */
export async function readReceiptOrder(
  database: Queryable,
  memberId: MemberId,
  orderId: OrderId,
): Promise<ReceiptOrder | null> {
  const [row] = await database.query<Row>(
    `SELECT coalesce(o.client_order_id, o.client_key::text) AS client_order_id, o.wallet, o.symbol, coalesce(o.direction, r.direction) AS direction, o.stake, o.fee, o.profit_if_won, o.payout_rate, coalesce(o.limit_price, r.limit_price) AS limit_price,
       o.duration, o.accepted_at, o.config_version, o.batch_no, o.batch_place, o.nonce, ${SEALED_COLUMNS}, r.nonce AS opens, r.revealed_at,
       d.public_key, d.nonce AS device_nonce, d.added_at, ${OUTCOME} AS outcome, s.void_reason, s.profit, s.credit,
       s.settled_at, s.entry_seq, s.entry_at, s.entry_price, s.exit_seq, s.exit_at, s.exit_price
     FROM orders o LEFT JOIN settlements s ON s.member_id = o.member_id AND s.order_id = o.order_id
     LEFT JOIN reveals r ON r.order_id = o.order_id LEFT JOIN order_devices d ON d.device_id = o.device_id
     WHERE o.member_id = $1 AND o.order_id = $2`,
    [memberId, orderId],
    "receipt_order",
  );
  if (row === undefined) return null;
  return {
    order: {
      orderId,
      memberId,
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
      configVersion: row.config_version,
    },
    acceptedAt: row.accepted_at as Instant,
    batchNo: row.batch_no,
    place: row.batch_place,
    nonces: row.nonce,
    reveal: row.opens && row.revealed_at !== null ? { nonce: row.opens, at: row.revealed_at } : null,
    device: deviceOf(row),
    settlement: settlementOf(row),
  };
}

function deviceOf({ public_key: key, device_nonce: nonce, added_at: addedAt }: Row): ReceiptOrder["device"] {
  return key === null || nonce === null || addedAt === null ? null : { key, nonce, addedAt };
}

function settlementOf(row: Row): ReceiptOrder["settlement"] {
  const { outcome, settled_at: settledAt, profit, credit } = row;
  if (outcome === null || settledAt === null || profit === null || credit === null) return null;
  return {
    settledAt: settledAt as Instant,
    entry: tickOf(row.entry_seq, row.entry_at, row.entry_price),
    exit: tickOf(row.exit_seq, row.exit_at, row.exit_price),
    outcome,
    voidReason: row.void_reason,
    profit,
    credit,
  };
}

function tickOf(seq: bigint | null, time: bigint | null, price: bigint | null): Tick | null {
  return seq === null || time === null || price === null
    ? null
    : { seq, time: time as Instant, price: price as Points };
}
