import type {
  ClientId,
  Instant,
  MemberId,
  MemberLimits,
  MicroUsd,
  OrderId,
  PlacingMember,
  ProposedOrder,
  RegionPolicy,
  Standing,
} from "@fairtick/domain";
import { arrayText, type Cell, type Row, type Step } from "../../platform/lane.ts";
import { walletsOfRow } from "../ledger/index.ts";
import { PAYLOAD_HASH_BYTES, WRITE_BATCH } from "./order-sql.ts";

/** An order bound to a client id before this batch. */
export interface KnownOrder {
  readonly orderId: OrderId;
  readonly payloadHash: Buffer;
}

export interface LockedMember extends PlacingMember {
  readonly memberSeq: bigint;
}

const NO_LIMITS: MemberLimits = { dailyStakeMax: null, dailyLossMax: null, coolOffUntil: null };

/** Rows of READ_MEMBERS and READ_LIMITS → members by id. */
export function membersOfRows(
  memberRows: readonly Row[],
  limitRows: readonly Row[],
  regionPolicy: (region: string) => RegionPolicy,
): Map<MemberId, LockedMember> {
  const limits = limitsOfRows(limitRows);
  const members = new Map<MemberId, LockedMember>();
  for (const row of memberRows) {
    const memberId = row[0] as MemberId;
    members.set(memberId, {
      memberSeq: bigintOf(row[1]),
      wallets: walletsOfRow(row, 2),
      regionPolicy: regionPolicy(String(row[14])),
      standing: row[15] as Standing,
      standingReason: row[16] as string | null,
      excludedUntil: row[17] as Instant | null,
      tradePasswordSet: row[18] === true,
      limits: limits.get(memberId) ?? NO_LIMITS,
    });
  }
  return members;
}

function limitsOfRows(rows: readonly Row[]): Map<MemberId, MemberLimits> {
  const limits = new Map<MemberId, MemberLimits>();
  for (const [member, name, value] of rows) {
    const memberId = member as MemberId;
    const before = limits.get(memberId) ?? NO_LIMITS;
    if (name === "dailyStake") limits.set(memberId, { ...before, dailyStakeMax: value as MicroUsd | null });
    else if (name === "dailyLoss") limits.set(memberId, { ...before, dailyLossMax: value as MicroUsd | null });
    else limits.set(memberId, { ...before, coolOffUntil: value as Instant | null });
  }
  return limits;
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
  return { now, databaseNow, newestConfig: Number(rows[0]?.[1] ?? 0), lastTickTimes };
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
  readonly commitments: readonly Uint8Array[];
  readonly merkleRoot: Uint8Array;
  /** NONCE_BYTES for each order, in their order. */
  readonly nonces: Buffer;
}

export function writeBatchStep(batch: BatchToWrite): Step {
  const { orders } = batch;
  const column = (cell: (written: OrderToWrite) => bigint | number | string | null) => arrayText(orders.map(cell));
  return [
    WRITE_BATCH,
    [
      arrayText([...new Set(orders.map(({ order }) => order.symbol))]),
      batch.validUntil,
      batch.merkleRoot,
      Buffer.concat(batch.commitments).toString("base64"),
      column(({ order }) => order.orderId),
      column(({ order }) => order.memberId),
      column(({ memberSeq }) => memberSeq),
      column(({ order }) => order.stake),
      column(({ order }) => order.fee),
      column(({ order }) => order.profitIfWon),
      column(({ order }) => order.limitPrice),
      column(({ availableAfter }) => availableAfter),
      column(({ order }) => order.payoutRate),
      column(({ order }) => order.durationSeconds),
      column(({ order }) => order.configVersion),
      column(({ order }) => order.wallet),
      column(({ order }) => order.direction),
      column(({ order }) => order.symbol),
      column(({ order }) => order.clientOrderId),
      batch.nonces,
      Buffer.concat(orders.map(({ payloadHash }) => payloadHash.subarray(0, PAYLOAD_HASH_BYTES))),
      batch.validFrom,
    ],
  ];
}

export function bigintOf(cell: Cell | undefined): bigint {
  if (typeof cell !== "bigint") throw new TypeError(`expected a bigint, read ${typeof cell}`);
  return cell;
}
