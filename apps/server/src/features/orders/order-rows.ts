import type { ClientId, Instant, MemberId, MicroUsd, OrderId, PlacingMember, ProposedOrder } from "@fairtick/domain";
import { int4Array, int8Array } from "../../platform/binary-array.ts";
import { arrayText, type Cell, type Row, type Step } from "../../platform/lane.ts";
import { OPEN_GROUP_MAX, PAYLOAD_HASH_BYTES, WRITE_BATCH } from "./order-sql.ts";

/** An order bound to a client id before this batch. */
export interface KnownOrder {
  readonly orderId: OrderId;
  readonly payloadHash: Buffer;
}

export interface LockedMember extends PlacingMember {
  readonly memberSeq: bigint;
  readonly address: string;
}

/** Key under which a member's client id is looked up among known ones. */
export function clientKey(memberId: MemberId, clientOrderId: ClientId): string {
  return `${memberId}/${clientOrderId}`;
}

/** Rows of READ_KNOWN → orders by `clientKey`. */
export function knownOfRows(rows: readonly Row[]): Map<string, KnownOrder> {
  const known = new Map<string, KnownOrder>();
  for (const [memberId, clientOrderId, orderId, payloadHash] of rows) {
    known.set(clientKey(memberId as MemberId, clientOrderId as ClientId), {
      orderId: orderId as OrderId,
      payloadHash: payloadHash as Buffer,
    });
  }
  return known;
}

export interface MarketReading {
  /** Database time, never before the newest tick of an instrument in the batch. */
  readonly now: Instant;
  /** The database's own clock, ms. */
  readonly databaseNow: Instant;
  /** Version of the newest stored trading configuration. */
  readonly newestConfig: number;
  /** 0 while none is stored. */
  readonly newestRegions: number;
  /** Symbol → time of its newest tick. */
  readonly lastTickTimes: ReadonlyMap<string, Instant>;
}

/** Rows of READ_CLOCK. */
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

/** What one accepted order writes. */
export interface OrderToWrite {
  readonly order: ProposedOrder;
  readonly memberSeq: bigint;
  readonly availableAfter: MicroUsd;
  readonly payloadHash: Uint8Array;
}

export interface BatchToWrite {
  readonly orders: readonly OrderToWrite[];
  readonly validFrom: Instant;
  readonly validUntil: Instant;
  /** Version of the trading configuration that all of them were judged by. */
  readonly configVersion: number;
  /** 32 bytes for each order, in their order. */
  readonly commitments: Buffer;
  readonly merkleRoot: Uint8Array;
  /** NONCE_BYTES for each order, in their order. */
  readonly nonces: Buffer;
}

export function writeBatchStep(batch: BatchToWrite): Step {
  const { orders } = batch;
  const bigints = (cell: (written: OrderToWrite) => bigint | null) => int8Array(orders.map(cell));
  const integers = (cell: (written: OrderToWrite) => number) => int4Array(orders.map(cell));
  const texts = (cell: (written: OrderToWrite) => string) => arrayText(orders.map(cell));
  return [
    WRITE_BATCH,
    [
      arrayText([...new Set(orders.map(({ order }) => order.symbol))]),
      batch.validFrom,
      batch.validUntil,
      batch.merkleRoot,
      batch.commitments.toString("base64"),
      batch.configVersion,
      batch.nonces,
      Buffer.concat(orders.map(({ payloadHash }) => payloadHash.subarray(0, PAYLOAD_HASH_BYTES))),
      bigints(({ order }) => order.orderId),
      bigints(({ order }) => order.memberId),
      bigints(({ memberSeq }) => memberSeq),
      bigints(({ order }) => order.stake),
      bigints(({ order }) => order.fee),
      bigints(({ order }) => order.profitIfWon),
      bigints(({ order }) => order.limitPrice),
      bigints(({ availableAfter }) => availableAfter),
      integers(({ order }) => Number(order.payoutRate)),
      integers(({ order }) => order.durationSeconds),
      texts(({ order }) => order.wallet),
      texts(({ order }) => order.direction),
      texts(({ order }) => order.symbol),
      texts(({ order }) => order.clientOrderId),
      int4Array(openRowNumbers(orders)),
    ],
  ];
}

/**
 * Of each order the number of the row it stands in while it runs: with others of its instrument and duration, as many
 * as a row takes; alone with a limit price.
 */
function openRowNumbers(orders: readonly OrderToWrite[]): number[] {
  let rows = 0;
  const filling = new Map<string, { row: number; room: number }>();
  return orders.map(({ order }) => {
    if (order.limitPrice !== null) return rows++;
    const kind = `${order.symbol} ${order.durationSeconds}`;
    const last = filling.get(kind);
    if (last === undefined || last.room === 0) {
      filling.set(kind, { row: rows, room: OPEN_GROUP_MAX - 1 });
      return rows++;
    }
    last.room -= 1;
    return last.row;
  });
}

export function bigintOf(cell: Cell | undefined): bigint {
  if (typeof cell !== "bigint") throw new TypeError(`expected a bigint, read ${typeof cell}`);
  return cell;
}
