import type {
  AgreedOrder,
  ClientId,
  Direction,
  Instant,
  MemberId,
  MicroUsd,
  OrderId,
  Points,
  Rate,
  Tick,
  Wallet,
  WalletState,
} from "@fairtick/domain";
import type { Row } from "../../platform/lane.ts";
import { sealedOf } from "../order-devices/index.ts";
import { lockedMoneyOf } from "../ledger/index.ts";

/** An order with its position in the acceptance batch of the log. */
export interface TakenOrder {
  readonly order: AgreedOrder;
  readonly batchNo: bigint;
  readonly batchPlace: number;
  /**
   * The running-order row that holds it and how many orders that row holds; null for an order that waits for its
   * reveal.
   */
  readonly groupId: bigint | null;
  readonly groupSize: number;
  /** Nonces of its commitment; an order from before sealed orders existed has a single one. */
  readonly nonces: Uint8Array;
  /** Null for an order placed in the open, and for a sealed order that was not revealed. */
  readonly reveal: Revealed | null;
}

/** What opened a sealed order, and when. */
export interface Revealed {
  readonly nonce: Uint8Array;
  readonly at: Instant;
}

/** Reads a row of TAKE_DUE, TAKE_VOID, TAKE_GIVEN or READ_AWAITED. */
export function takenOfRow(row: Row): TakenOrder {
  return {
    order: {
      orderId: row[0] as OrderId,
      memberId: row[1] as MemberId,
      acceptedAt: row[2] as Instant,
      stake: row[3] as MicroUsd,
      fee: row[4] as MicroUsd,
      profitIfWon: row[5] as MicroUsd,
      limitPrice: row[6] as Points | null,
      payoutRate: BigInt(row[7] as number) as Rate,
      durationSeconds: Number(row[8]),
      configVersion: Number(row[9]),
      wallet: row[10] as Wallet,
      direction: row[11] as Direction | null,
      sealed: sealedOf(...(row.slice(19, 24) as Parameters<typeof sealedOf>)),
      symbol: String(row[12]),
      clientOrderId: row[13] as ClientId,
    },
    batchNo: row[14] as bigint,
    batchPlace: Number(row[15]),
    groupId: row[16] as bigint | null,
    groupSize: Number(row[17]),
    nonces: row[18] as Uint8Array,
    reveal: row[24] === null ? null : { nonce: row[24] as Uint8Array, at: row[25] as Instant },
  };
}

/** The distinct (symbol, acceptedAt, duration) keys of a batch: orders of one acceptance batch share their ticks. */
export interface TickKeys {
  readonly symbols: readonly string[];
  readonly acceptedAts: readonly bigint[];
  readonly durations: readonly number[];
  /** Maps the index of an order to the index of its key. */
  readonly keyOf: readonly number[];
}

export function keysOf(taken: readonly TakenOrder[]): TickKeys {
  const symbols: string[] = [];
  const acceptedAts: bigint[] = [];
  const durations: number[] = [];
  const numbers = new Map<string, number>();
  const keyOf = taken.map(({ order }) => {
    const key = `${order.symbol}/${order.durationSeconds}/${order.acceptedAt}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, symbols.length);
    symbols.push(order.symbol);
    acceptedAts.push(order.acceptedAt);
    durations.push(order.durationSeconds);
    return symbols.length - 1;
  });
  return { symbols, acceptedAts, durations, keyOf };
}

/** The ticks that decide the orders of one key. */
export interface KeyTicks {
  readonly firstTick: Tick | null;
  readonly lastTick: Tick | null;
  readonly sealedThrough: Instant;
}

/**
 * Maps rows of READ_TICKS to ticks by key index, and reads when the orders are settled: now by the database's time, or
 * as late as the market has sealed prices if it is ahead. Like an acceptance, a settlement is never dated before prices
 * that were there before it.
 */
export function ticksOfRows(rows: readonly Row[]): { settledAt: Instant; ticks: readonly KeyTicks[] } {
  const ticks: KeyTicks[] = [];
  let settledAt = 0n;
  for (const row of rows) {
    for (const moment of [row[1], row[2]] as bigint[]) if (moment > settledAt) settledAt = moment;
    ticks[Number(row[0]) - 1] = {
      sealedThrough: row[2] as Instant,
      firstTick: tickOfRow(row, 3),
      lastTick: tickOfRow(row, 6),
    };
  }
  return { settledAt: settledAt as Instant, ticks };
}

function tickOfRow(row: Row, first: number): Tick | null {
  const seq = row[first];
  return typeof seq === "bigint" ? { seq, time: row[first + 1] as Instant, price: row[first + 2] as Points } : null;
}

/** A member's money while a batch is counted; updated by each of their orders. */
export interface CountedMember {
  memberSeq: bigint;
  readonly wallets: Partial<Record<Wallet, WalletState>>;
}

/** Reads rows of LOCK_MEMBERS. */
export function membersOfRows(rows: readonly Row[]): Map<MemberId, CountedMember> {
  return new Map(lockedMoneyOf(rows).map(({ memberId, memberSeq, wallets }) => [memberId, { memberSeq, wallets }]));
}
