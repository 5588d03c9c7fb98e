import {
  type AgreedPayload,
  canonicalJson,
  type ClientId,
  type DeviceId,
  type Direction,
  type Instant,
  type MemberId,
  type MicroUsd,
  type OrderId,
  type PlacingMember,
  type Points,
  type ProposedOrder,
  type Rate,
  type SealedPart,
  type Wallet,
} from "@fairtick/domain";
import { byteaArray, int4Array, int8Array, uuidArray } from "../../platform/binary-array.ts";
import { arrayText, bigintOf, type Row, type Step, type Value } from "../../platform/lane.ts";
import { sealedOf } from "../order-devices/index.ts";
import { clientKeyOf } from "./client-key.ts";
import { OPEN_GROUP_MAX, writeBatch, writeOpenGroups, writeOrders } from "./order-sql.ts";

/** An order that a client id was bound to before this batch. */
export interface KnownOrder {
  readonly orderId: OrderId;
  readonly payload: AgreedPayload;
}

export interface LockedMember extends PlacingMember {
  /** Devices that currently sign the member's orders. */
  readonly devices: ReadonlySet<DeviceId>;
  readonly memberSeq: bigint;
}

/** Orders that client ids were bound to before a batch. */
export interface KnownOrders {
  readonly size: number;
  find(memberId: MemberId, clientOrderId: ClientId): KnownOrder | undefined;
}

/** Parses the rows of READ_KNOWN. */
export function knownOfRows(rows: readonly Row[]): KnownOrders {
  const nameOf = (memberId: MemberId, key: string) => `${memberId}/${key}`;
  const known = new Map<string, KnownOrder>();
  for (const [memberId, key, orderId, ...payload] of rows) {
    known.set(nameOf(memberId as MemberId, key as string), {
      orderId: orderId as OrderId,
      payload: payloadOfCells(payload),
    });
  }
  return {
    size: known.size,
    find: (memberId, clientOrderId) => known.get(nameOf(memberId, clientKeyOf(clientOrderId))),
  };
}

function payloadOfCells(cells: Row): AgreedPayload {
  const [wallet, symbol, direction, stake, duration, limitPrice, payoutRate, fee, ...sealing] = cells;
  return {
    wallet: wallet as Wallet,
    symbol: symbol as string,
    direction: direction as Direction | null,
    sealed: sealedOf(...(sealing as Parameters<typeof sealedOf>)),
    stake: stake as MicroUsd,
    durationSeconds: duration as number,
    limitPrice: limitPrice as Points | null,
    payoutRate: BigInt(payoutRate as number) as Rate,
    fee: fee as MicroUsd,
  };
}

export interface MarketReading {
  /** The database's time, but never before the newest tick of an instrument in the batch. */
  readonly now: Instant;
  /** The database's own clock, in ms. */
  readonly databaseNow: Instant;
  /** Version of the newest trading configuration. */
  readonly newestConfig: number;
  /** Version of the newest regions; 0 if there is none. */
  readonly newestRegions: number;
  /** Time of each symbol's newest tick. */
  readonly lastTickTimes: ReadonlyMap<string, Instant>;
}

/** Parses the rows of READ_CLOCK. */
export function marketOfRows(rows: readonly Row[]): MarketReading {
  const databaseNow = bigintOf(rows[0]?.[0]) as Instant;
  const lastTickTimes = new Map<string, Instant>();
  let now = databaseNow;
  for (const row of rows) {
    const time = row[4];
    if (typeof time !== "bigint") continue;
    lastTickTimes.set(String(row[2]), time as Instant);
    if (time > now) now = time as Instant;
  }
  return {
    now,
    databaseNow,
    newestConfig: Number(rows[0]?.[1] ?? 0),
    newestRegions: Number(rows[0]?.[6] ?? 0),
    lastTickTimes,
  };
}

/** Finds the moment from which a sealed wish for a symbol counts, or null if the head that it names is unknown. */
export type SeenLookUp = (symbol: string, seen: Pick<SealedPart, "seenSlot" | "seenHash">) => Instant | null;

/** Parses the rows of READ_SEEN. */
export function seenOfRows(rows: readonly Row[]): SeenLookUp {
  const heads = new Map(
    rows.map(([k, symbol, hash, time]) => {
      const name = `${bigintOf(k)} ${symbol as string}`;
      return [name, { hash: hash as Buffer, time: time as Instant }];
    }),
  );
  return (symbol, { seenSlot, seenHash }) => {
    const head = heads.get(`${seenSlot} ${symbol}`);
    return head?.hash.equals(seenHash) === true ? head.time : null;
  };
}

/** Data written for one accepted order. */
export interface OrderToWrite {
  readonly order: ProposedOrder;
  readonly memberSeq: bigint;
  readonly availableAfter: MicroUsd;
}

export interface BatchToWrite {
  readonly orders: readonly OrderToWrite[];
  readonly validFrom: Instant;
  readonly validUntil: Instant;
  /** Version of the trading configuration that the batch was judged by. */
  readonly configVersion: number;
  /** 32 bytes per order, in batch order, followed by 32 bytes per refusal. */
  readonly commitments: Buffer;
  /** Reasons of the refusals, in batch order. */
  readonly reasons: readonly string[];
  readonly merkleRoot: Uint8Array;
  /** ORDER_NONCES_BYTES per order, in batch order. */
  readonly nonces: Buffer;
}

/**
 * Makes the steps that write a batch after the tick gate. The first one returns the batch's number, acceptedAt and
 * root.
 */
export function writeBatchSteps(batch: BatchToWrite): Step[] {
  const { orders } = batch;
  const start = writeBatch({
    symbols: arrayText([...new Set(orders.map(({ order }) => order.symbol))]),
    valid_from: batch.validFrom,
    valid_until: batch.validUntil,
    commitments: batch.commitments.subarray(0, orders.length * 32).toString("base64"),
    config_version: batch.configVersion,
    open_orders: orders.filter(({ order }) => order.sealed === null).length,
    reasons: reasonsJson(batch.reasons),
    refusals: batch.commitments.subarray(orders.length * 32).toString("base64"),
    orders: orders.length,
    merkle_root: batch.merkleRoot,
  });
  return orders.length === 0 ? [start] : [start, ordersStep(batch), openGroupsStep(orders)];
}

function ordersStep({ orders: written, configVersion, nonces }: BatchToWrite): Step {
  const orders = written.map(({ order }) => order);
  const clientKeys = orders.map(({ clientOrderId }) => clientKeyOf(clientOrderId));
  const bigints = (cell: (order: ProposedOrder) => bigint | null) => int8Array(orders.map(cell));
  return writeOrders({
    config_version: configVersion,
    nonces,
    order_ids: bigints(({ orderId }) => orderId),
    member_ids: bigints(({ memberId }) => memberId),
    member_seqs: int8Array(written.map(({ memberSeq }) => memberSeq)),
    wallets: arrayText(orders.map(({ wallet }) => wallet)),
    symbols: arrayText(orders.map(({ symbol }) => symbol)),
    directions: arrayText(orders.map(({ direction }) => direction)),
    stakes: bigints(({ stake }) => stake),
    fees: bigints(({ fee }) => fee),
    payout_rates: int4Array(orders.map(({ payoutRate }) => Number(payoutRate))),
    profits_if_won: bigints(({ profitIfWon }) => profitIfWon),
    durations: int4Array(orders.map(({ durationSeconds }) => durationSeconds)),
    limit_prices: orders.some(({ limitPrice }) => limitPrice !== null)
      ? bigints(({ limitPrice }) => limitPrice)
      : int8Array([]),
    available_after: int8Array(written.map(({ availableAfter }) => availableAfter)),
    client_keys: uuidArray(clientKeys),
    client_order_ids: otherClientIds(orders, clientKeys),
    ...sealedCells(orders),
  });
}

/**
 * Makes the parameters of sealed orders: seal, seen hash and signature of each in one string of bytes, and arrays of
 * devices and seen slots.
 */
function sealedCells(orders: readonly ProposedOrder[]): Record<"sealings" | "device_ids" | "seen_slots", Value> {
  const parts = orders.map(({ sealed }) => sealed);
  const present = parts.some((sealed) => sealed !== null) ? parts : [];
  return {
    sealings: byteaArray(
      present.map((sealed) => sealed && Buffer.concat([sealed.seal, sealed.seenHash, sealed.signature])),
    ),
    device_ids: int8Array(present.map((sealed) => sealed && sealed.deviceId)),
    seen_slots: int8Array(present.map((sealed) => sealed && sealed.seenSlot)),
  };
}

/** Counts refusals by reason, as canonical JSON. */
function reasonsJson(reasons: readonly string[]): string {
  const counts: Record<string, number> = {};
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
  return canonicalJson(counts);
}

/** Returns the client ids in batch order, null where the key already is the id. An empty array if all are UUIDs. */
function otherClientIds(orders: readonly ProposedOrder[], keys: readonly string[]): string {
  const others = orders.map(({ clientOrderId }, index) => (clientOrderId === keys[index] ? null : clientOrderId));
  return arrayText(others.some((other) => other !== null) ? others : []);
}

function openGroupsStep(written: readonly OrderToWrite[]): Step {
  const rows = openRowsOf(written.map(({ order }) => order));
  const orders = rows.flat();
  const heads = rows.flatMap((row) => row.slice(0, 1));
  let last = 0;
  const lasts = rows.map((row) => (last += row.length));
  return writeOpenGroups({
    order_ids: int8Array(orders.map(({ orderId }) => orderId)),
    member_ids: int8Array(orders.map(({ memberId }) => memberId)),
    firsts: int4Array(rows.map((row, index) => (lasts[index] ?? 0) - row.length + 1)),
    lasts: int4Array(lasts),
    durations: int4Array(heads.map(({ durationSeconds }) => durationSeconds)),
    symbols: arrayText(heads.map(({ symbol }) => symbol)),
    limit_prices: int8Array(heads.map(({ limitPrice }) => limitPrice)),
    directions: arrayText(heads.map(({ limitPrice, direction }) => (limitPrice === null ? null : direction))),
  });
}

/**
 * Groups orders into the rows that hold them while they are open: orders of one instrument and duration share a row up to its
 * capacity; an order with a limit price gets its own.
 */
function openRowsOf(orders: readonly ProposedOrder[]): readonly (readonly ProposedOrder[])[] {
  const rows: ProposedOrder[][] = [];
  const newest = new Map<string, ProposedOrder[]>();
  for (const order of orders) {
    const name = `${order.symbol} ${order.durationSeconds}`;
    const row = order.limitPrice === null ? newest.get(name) : undefined;
    if (row !== undefined && row.length < OPEN_GROUP_MAX) {
      row.push(order);
      continue;
    }
    const next = [order];
    rows.push(next);
    if (order.limitPrice === null) newest.set(name, next);
  }
  return rows;
}
