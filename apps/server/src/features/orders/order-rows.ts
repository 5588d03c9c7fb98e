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
import { byteaArray, int4Array, int8Array, type RowAddress, uuidArray } from "../../platform/binary-array.ts";
import { arrayText, type Cell, type Row, type Step, type Value } from "../../platform/lane.ts";
import { sealedOf } from "../order-devices/index.ts";
import { clientKeyOf } from "./client-key.ts";
import { OPEN_GROUP_MAX, WRITE_BATCH } from "./order-sql.ts";

/** An order that a client id was bound to before this batch. */
export interface KnownOrder {
  readonly orderId: OrderId;
  readonly payload: AgreedPayload;
}

export interface LockedMember extends PlacingMember {
  /** Devices that currently sign their orders. */
  readonly devices: ReadonlySet<DeviceId>;
  readonly memberSeq: bigint;
  readonly address: RowAddress;
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
  /** Database time, never before the newest tick of an instrument in the batch. */
  readonly now: Instant;
  /** The database's own clock, ms. */
  readonly databaseNow: Instant;
  /** Version of the newest trading configuration. */
  readonly newestConfig: number;
  /** 0 if there is none. */
  readonly newestRegions: number;
  /** Symbol → time of its newest tick. */
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

/** Parses the rows of READ_SEEN into a lookup: slot number and hash → time of that head's newest tick, or null if there is no such head. */
export function seenOfRows(rows: readonly Row[]): (seen: Pick<SealedPart, "seenSlot" | "seenHash">) => Instant | null {
  const heads = new Map(rows.map(([k, hash, time]) => [k, { hash: hash as Buffer, time: time as Instant }]));
  return ({ seenSlot, seenHash }) => {
    const head = heads.get(seenSlot);
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

export function writeBatchStep(batch: BatchToWrite): Step {
  const { orders } = batch;
  const kinds = kindsOf(orders);
  const clientKeys = orders.map(({ order }) => clientKeyOf(order.clientOrderId));
  const bigints = (cell: (written: OrderToWrite) => bigint) => int8Array(orders.map(cell));
  return [
    WRITE_BATCH,
    [
      arrayText([...new Set(orders.map(({ order }) => order.symbol))]),
      batch.validFrom,
      batch.validUntil,
      batch.merkleRoot,
      batch.commitments.subarray(0, orders.length * 32).toString("base64"),
      batch.configVersion,
      batch.nonces,
      bigints(({ order }) => order.orderId),
      bigints(({ order }) => order.memberId),
      bigints(({ memberSeq }) => memberSeq),
      bigints(({ order }) => order.stake),
      bigints(({ order }) => order.fee),
      bigints(({ order }) => order.profitIfWon),
      limitPrices(orders),
      bigints(({ availableAfter }) => availableAfter),
      int4Array(kinds.numbers),
      int4Array(kinds.heads.map(({ payoutRate }) => Number(payoutRate))),
      int4Array(kinds.heads.map(({ durationSeconds }) => durationSeconds)),
      arrayText(kinds.heads.map(({ wallet }) => wallet)),
      arrayText(kinds.heads.map(({ direction }) => direction)),
      arrayText(kinds.heads.map(({ symbol }) => symbol)),
      uuidArray(clientKeys),
      otherClientIds(orders, clientKeys),
      ...openRowCells(openRowsOf(orders, kinds)),
      batch.commitments.subarray(orders.length * 32).toString("base64"),
      reasonsJson(batch.reasons),
      ...sealedCells(orders),
    ],
  ];
}

/** Parameters of WRITE_BATCH from $34 on. */
function sealedCells(orders: readonly OrderToWrite[]): Value[] {
  const parts = orders.map(({ order }) => order.sealed);
  const open = parts.filter((sealed) => sealed === null).length;
  if (open === parts.length) return [byteaArray([]), int8Array([]), int8Array([]), open];
  return [
    byteaArray(parts.map((sealed) => sealed && Buffer.concat([sealed.seal, sealed.seenHash, sealed.signature]))),
    int8Array(parts.map((sealed) => sealed && sealed.deviceId)),
    int8Array(parts.map((sealed) => sealed && sealed.seenSlot)),
    open,
  ];
}

/** Counts refusals by reason, as canonical JSON. */
function reasonsJson(reasons: readonly string[]): string {
  const counts: Record<string, number> = {};
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
  return canonicalJson(counts);
}

/** One example of each kind of order in the batch, and the number (from 1) of each order's kind. */
interface Kinds {
  readonly heads: readonly ProposedOrder[];
  readonly numbers: readonly number[];
}

/** Groups orders by kind. Compares directly instead of building a key per order: an instrument has only a few kinds. */
function kindsOf(orders: readonly OrderToWrite[]): Kinds {
  const heads: ProposedOrder[] = [];
  const known = new Map<string, number[]>();
  const numbers = orders.map(({ order }) => {
    const ofSymbol = known.get(order.symbol) ?? [];
    for (const number of ofSymbol) if (isOfKind(order, heads[number - 1])) return number;
    const number = heads.push(order);
    known.set(order.symbol, [...ofSymbol, number]);
    return number;
  });
  return { heads, numbers };
}

/** Tells whether two orders on the same instrument are of one kind. */
function isOfKind(order: ProposedOrder, other: ProposedOrder | undefined): boolean {
  return (
    order.durationSeconds === other?.durationSeconds &&
    order.payoutRate === other.payoutRate &&
    order.direction === other.direction &&
    order.wallet === other.wallet
  );
}

/** Limit prices in order of the batch; an empty array when no order has one (the usual case). */
function limitPrices(orders: readonly OrderToWrite[]): Buffer {
  const prices = orders.map(({ order }) => order.limitPrice);
  return int8Array(prices.some((price) => price !== null) ? prices : []);
}

/** Client ids in order of the batch, null where the key already tells the id; an empty array when all are UUIDs. */
function otherClientIds(orders: readonly OrderToWrite[], keys: readonly string[]): string {
  const others = orders.map(({ order: { clientOrderId } }, index) =>
    clientOrderId === keys[index] ? null : clientOrderId,
  );
  return arrayText(others.some((other) => other !== null) ? others : []);
}

/**
 * Groups orders into the rows that hold them while they are open: orders of one instrument and duration share a row up to its
 * capacity; an order with a limit price gets its own.
 */
function openRowsOf(orders: readonly OrderToWrite[], kinds: Kinds): readonly (readonly ProposedOrder[])[] {
  const rows: ProposedOrder[][] = [];
  const shelves = shelvesOf(kinds);
  for (const [index, { order }] of orders.entries()) {
    const shelf = order.limitPrice === null ? shelves[(kinds.numbers[index] ?? 0) - 1] : undefined;
    if (shelf?.row !== undefined && shelf.row.length < OPEN_GROUP_MAX) {
      shelf.row.push(order);
      continue;
    }
    const row = [order];
    rows.push(row);
    if (shelf !== undefined) shelf.row = row;
  }
  return rows;
}

/** Returns for each kind where its newest row is kept; kinds of one instrument and duration share it. */
function shelvesOf({ heads }: Kinds): { row?: ProposedOrder[] }[] {
  const shelves = new Map<string, { row?: ProposedOrder[] }>();
  return heads.map(({ symbol, durationSeconds }) => {
    const name = `${symbol} ${durationSeconds}`;
    const shelf = shelves.get(name) ?? {};
    shelves.set(name, shelf);
    return shelf;
  });
}

/** Parameters $24 to $31 of WRITE_BATCH. */
function openRowCells(rows: readonly (readonly ProposedOrder[])[]): Value[] {
  const orders = rows.flat();
  let last = 0;
  const lasts = rows.map((row) => (last += row.length));
  const heads = rows.flatMap((row) => row.slice(0, 1));
  return [
    int8Array(orders.map(({ orderId }) => orderId)),
    int8Array(orders.map(({ memberId }) => memberId)),
    int4Array(rows.map((row, index) => (lasts[index] ?? 0) - row.length + 1)),
    int4Array(lasts),
    int4Array(heads.map(({ durationSeconds }) => durationSeconds)),
    arrayText(heads.map(({ symbol }) => symbol)),
    int8Array(heads.map(({ limitPrice }) => limitPrice)),
    arrayText(heads.map(({ limitPrice, direction }) => (limitPrice === null ? null : direction))),
  ];
}

export function bigintOf(cell: Cell | undefined): bigint {
  if (typeof cell !== "bigint") throw new TypeError(`expected a bigint, read ${typeof cell}`);
  return cell;
}
