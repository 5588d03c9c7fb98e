import {
  afterSettlement,
  type AgreedOrder,
  awaitsReveal,
  balanceChange,
  type DueOrder,
  expiryOf,
  type HouseAccount,
  type Instant,
  type MemberId,
  REVEAL_WITHIN_MS,
  type Settlement,
  settlementMovement,
  settleOrder,
  utcDay,
  type Wallet,
} from "@fairtick/domain";
import type { Row } from "../../platform/lane.ts";
import type { WalletToWrite } from "../ledger/index.ts";
import type { TradingConfigs } from "../trading-config/index.ts";
import { membersOfRows, type TakenOrder, type TickKeys, ticksOfRows } from "./settlement-rows.ts";

/** An order with its outcome. */
export interface SettledRow extends TakenOrder {
  readonly settlement: Settlement;
  readonly memberSeq: bigint;
  readonly availableAfter: bigint;
}

/** An order that is due but has not been revealed yet. */
export interface PostponedRow extends TakenOrder {
  readonly revealBy: bigint;
}

/** The result of counting a batch: what to write for each order, member and house account. */
export interface CountedBatch {
  readonly settledAt: Instant;
  readonly rows: readonly SettledRow[];
  /** Orders that start waiting for their reveal with this batch; orders that were already waiting are not included. */
  readonly postponed: readonly PostponedRow[];
  readonly undecided: readonly TakenOrder[];
  readonly wallets: Readonly<Record<Wallet, readonly WalletToWrite[]>>;
  readonly house: ReadonlyMap<string, { wallet: Wallet; account: HouseAccount; change: bigint }>;
  readonly released: Readonly<Record<Wallet, ReadonlyMap<string, bigint>>>;
}

/** What was read for the taken orders. */
export interface ReadRows {
  readonly moneyRows: readonly Row[];
  readonly tickRows: readonly Row[];
  /** Until when the reveals of waiting orders are all known, ms. An order counts as unrevealed only by then. */
  readonly knownThrough: Instant | undefined;
}

/**
 * Settles taken orders using the ticks and balances that were read for them. Changes nothing outside: the caller writes
 * the result.
 */
export async function countBatch(
  configs: TradingConfigs,
  taken: readonly TakenOrder[],
  keys: TickKeys,
  { moneyRows, tickRows, knownThrough }: ReadRows,
): Promise<CountedBatch> {
  await configs.know(Math.max(...taken.map(({ order }) => order.configVersion)));
  const members = membersOfRows(moneyRows);
  const { settledAt, ticks } = ticksOfRows(tickRows);
  const day = utcDay(settledAt);
  const rows: SettledRow[] = [];
  const postponed: PostponedRow[] = [];
  const undecided: TakenOrder[] = [];
  const wallets = { practice: new Map<MemberId, WalletToWrite>(), real: new Map<MemberId, WalletToWrite>() };
  const house = new Map<string, { wallet: Wallet; account: HouseAccount; change: bigint }>();
  const released = { practice: new Map<string, bigint>(), real: new Map<string, bigint>() };
  for (const [index, each] of taken.entries()) {
    const { order } = each;
    const found = ticks[keys.keyOf[index] ?? -1];
    const member = members.get(order.memberId);
    const wallet = member?.wallets[order.wallet];
    if (found === undefined || member === undefined || wallet === undefined) {
      throw new Error(`order ${order.orderId} lost its ticks or member`);
    }
    const { staleExitMs } = configs.termsOf(order.configVersion, order.symbol);
    // An order that doesn't wait yet may have been revealed since it was read, so it has to wait first.
    const isKnown = each.groupId === null && knownThrough !== undefined;
    const due: DueOrder = { order, staleExitMs, ...found, ...(isKnown && { now: knownThrough }) };
    const settlement = settleOrder(due);
    if (settlement === null) {
      if (!awaitsReveal(due) || found.firstTick === null) undecided.push(each);
      else if (each.groupId !== null)
        postponed.push({ ...each, revealBy: expiryOf(found.firstTick, order.durationSeconds) + REVEAL_WITHIN_MS });
      continue;
    }
    const after = afterSettlement(wallet, order, settlement, day);
    member.wallets[order.wallet] = after;
    member.memberSeq += 1n;
    const { memberSeq } = member;
    wallets[order.wallet].set(order.memberId, { memberId: order.memberId, memberSeq, after });
    addHouseChanges(house, order, settlement);
    const sums = released[order.wallet];
    sums.set(order.symbol, (sums.get(order.symbol) ?? 0n) - order.profitIfWon);
    rows.push({ ...each, settlement, memberSeq, availableAfter: after.available });
  }
  return {
    settledAt,
    rows,
    postponed,
    undecided,
    wallets: { practice: [...wallets.practice.values()], real: [...wallets.real.values()] },
    house,
    released,
  };
}

function addHouseChanges(
  house: Map<string, { wallet: Wallet; account: HouseAccount; change: bigint }>,
  order: AgreedOrder,
  settlement: Settlement,
): void {
  if (settlement.outcome === "tied" || settlement.outcome === "voided") return;
  const { postings } = settlementMovement(order, settlement.outcome);
  for (const account of ["fees", "pool"] as const) {
    const key = `${order.wallet}/${account}`;
    const sum = house.get(key);
    const change = balanceChange(postings, account);
    if (sum === undefined) house.set(key, { wallet: order.wallet, account, change });
    else sum.change += change;
  }
}
