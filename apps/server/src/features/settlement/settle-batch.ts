import { type AgreedOrder, bookedOutcome, type Instant, WALLETS } from "@fairtick/domain";
import { crashPoint } from "../../platform/crash-point.ts";
import { int8Array, textArray } from "../../platform/binary-array.ts";
import { arrayText, BEGIN, COMMIT, type Lane, ROLLBACK, type Row, type Step } from "../../platform/lane.ts";
import type { Log } from "../../platform/log.ts";
import { incidentEntry } from "../../platform/incident-entry.ts";
import { addExposureStep, LOCK_MEMBERS, writeMoneySteps } from "../ledger/index.ts";
import type { TradingConfigs } from "../trading-config/index.ts";
import { countBatch, type CountedBatch, type PostponedRow, type SettledRow } from "./count-batch.ts";
import { findLate, type PauseBook } from "./late-settlements.ts";
import { settleEntries } from "./log-entries.ts";
import { keysOf, type TakenOrder, takenOfRow } from "./settlement-rows.ts";
import {
  ADD_PROGRESS,
  DELETE_AWAITED,
  DELETE_GROUPS,
  FIND_AWAITED,
  FIND_DUE,
  LOCK_AWAITED,
  LOCK_PROGRESS,
  MOVE_PROGRESS,
  READ_AWAITED,
  READ_KNOWN_THROUGH,
  READ_TICKS,
  SHRINK_GROUPS,
  TAKE_DUE,
  TAKE_GIVEN,
  TAKE_VOID,
  WRITE_AWAITING,
  WRITE_HOUSE,
  WRITE_INCIDENT,
  WRITE_OUTBOX,
  WRITE_SETTLEMENTS,
} from "./settlement-sql.ts";

export interface SettleTools {
  readonly log: Log;
  readonly configs: TradingConfigs;
  /** Number of the exposure rows that only this lane adds to. */
  readonly stripe: number;
  readonly ordersMax: number;
  /** Orders to leave out, because they were set aside as impossible to settle. */
  readonly aside: readonly bigint[];
  /** Called with the batch's orders before anything is counted, so that a caller can split a batch that fails. */
  readonly onTaken?: (taken: readonly OrderKey[]) => void;
  /** Settlement pauses already announced in the public log. */
  readonly pauses: PauseBook;
  /** Names of the witnesses' boards, whose lines count as reveals. */
  readonly boards: readonly string[];
}

/**
 * How long a board may be silent before an order is settled without it, ms. A verifier lets the longest order be settled
 * up to ten minutes after the end of its time to be revealed.
 */
const BOARD_SILENCE_MS = 300_000n;

/** The key of a running order. */
export type OrderKey = Pick<AgreedOrder, "orderId" | "memberId">;

/** What a batch settled, in parallel arrays for the bus. */
export interface SettledBatch {
  readonly orderIds: readonly bigint[];
  readonly members: readonly bigint[];
  /** True if there may be more orders to settle. */
  readonly full: boolean;
  /** True if some orders were due but not revealed. They now wait, and may have been revealed in the meantime. */
  readonly postponed: boolean;
}

interface Progress {
  readonly symbols: readonly string[];
  readonly through: readonly bigint[];
}

/**
 * Settles due orders in one transaction: up to `ordersMax`, or those of `given` that are due. Locks are taken in this
 * order: open orders (skipping those that others hold), members by id, house rows. Everything is read from the tables,
 * so any worker reaches the same result at any time.
 */
export async function settleBatch(lane: Lane, tools: SettleTools, given?: readonly OrderKey[]): Promise<SettledBatch> {
  try {
    const { rows, ...taking } = given ? await takeGiven(lane, tools, given) : await takeDue(lane, tools);
    const taken = new Map<bigint, TakenOrder>();
    for (const row of rows) {
      const order = takenOfRow(row);
      taken.set(order.order.orderId, order);
    }
    tools.onTaken?.(Array.from(taken.values(), ({ order: { orderId, memberId } }) => ({ orderId, memberId })));
    crashPoint("settlement.taken");
    return await settleTaken(lane, tools, [...taken.values()], { ...taking, isEarly: given !== undefined });
  } catch (error) {
    if (lane.isUsable()) await lane.flush([[ROLLBACK]]).catch(() => undefined);
    throw error;
  }
}

/** Finds orders that waited for their reveal and can be settled now, up to `ordersMax`, to pass to `settleBatch`. */
export async function findAwaited(lane: Lane, { ordersMax, aside, boards }: SettleTools): Promise<OrderKey[]> {
  const values = [textArray(boards), BOARD_SILENCE_MS, ordersMax, int8Array(aside)];
  const [rows = []] = await lane.flush([[FIND_AWAITED, values]]);
  return rows.map(([orderId, memberId]) => ({ orderId, memberId }) as OrderKey);
}

interface Taking {
  readonly rows: readonly Row[];
  readonly progress: Progress;
  readonly full: boolean;
  /** Until when the reveals of waiting orders are all known, ms; undefined if none were taken. */
  readonly knownThrough?: Instant;
}

async function takeDue(lane: Lane, tools: SettleTools): Promise<Taking> {
  const [, , ranges = [], moved = []] = await lane.flush([[BEGIN], [ADD_PROGRESS], [FIND_DUE], [LOCK_PROGRESS]]);
  const [due = [], voids = []] = await lane.flush(takeSteps(tools, ranges, moved));
  // If some of a symbol's orders were left behind, the next batch examines its ticks again.
  const progress: Progress =
    voids.length >= tools.ordersMax
      ? { symbols: [], through: [] }
      : { symbols: moved.map((row) => String(row[0])), through: moved.map((row) => row[2] as bigint) };
  const full = due.length >= tools.ordersMax || voids.length >= tools.ordersMax;
  return { rows: [...due, ...voids], progress, full };
}

async function takeGiven(lane: Lane, { boards }: SettleTools, given: readonly OrderKey[]): Promise<Taking> {
  const locking: Step = [LOCK_AWAITED, [int8Array(given.map(({ orderId }) => orderId))]];
  const [, running = [], locked = []] = await lane.flush([[BEGIN], givenStep(given), locking]);
  const progress = { symbols: [], through: [] };
  if (locked.length === 0) return { rows: running, progress, full: false };
  const column = (index: number) => int8Array(locked.map((row) => row[index] as bigint));
  // In this order: a reveal that is stored between the two is read, although it isn't waited for.
  const [through = [], awaited = []] = await lane.flush([
    [READ_KNOWN_THROUGH, [textArray(boards), BOARD_SILENCE_MS]],
    [READ_AWAITED, [column(0), column(1)]],
  ]);
  return { rows: [...running, ...awaited], progress, full: false, knownThrough: through[0]?.[0] as Instant };
}

function givenStep(given: readonly OrderKey[]): Step {
  return [
    TAKE_GIVEN,
    [int8Array(given.map(({ orderId }) => orderId)), int8Array(given.map(({ memberId }) => memberId))],
  ];
}

function takeSteps(tools: SettleTools, ranges: readonly Row[], moved: readonly Row[]): Step[] {
  const column = (rows: readonly Row[], index: number) => arrayText(rows.map((row) => row[index] as bigint | string));
  const aside = int8Array(tools.aside);
  return [
    [TAKE_DUE, [column(ranges, 0), column(ranges, 1), column(ranges, 2), column(ranges, 3), tools.ordersMax, aside]],
    [TAKE_VOID, [column(moved, 0), column(moved, 1), column(moved, 2), tools.ordersMax, aside]],
  ];
}

function progressSteps({ symbols, through }: Progress): Step[] {
  return symbols.length === 0 ? [] : [[MOVE_PROGRESS, [arrayText(symbols), arrayText(through)]]];
}

async function settleTaken(
  lane: Lane,
  tools: SettleTools,
  taken: readonly TakenOrder[],
  {
    progress,
    full,
    knownThrough,
    isEarly,
  }: Omit<Taking, "rows"> & {
    /** Whether the orders may have been taken before they were due. */ readonly isEarly: boolean;
  },
): Promise<SettledBatch> {
  if (taken.length === 0) {
    await lane.flush([...progressSteps(progress), [COMMIT]]);
    return { orderIds: [], members: [], full: false, postponed: false };
  }
  const keys = keysOf(taken);
  const memberIds = arrayText([...new Set(taken.map(({ order }) => order.memberId))]);
  const [moneyRows = [], tickRows = []] = await lane.flush([
    [LOCK_MEMBERS, [memberIds]],
    [READ_TICKS, [arrayText(keys.symbols), arrayText(keys.acceptedAts), arrayText(keys.durations)]],
  ]);
  const written = await countBatch(tools.configs, taken, keys, { moneyRows, tickRows, knownThrough });
  if (!isEarly) {
    for (const { order } of written.undecided) {
      // Only orders below the seal are taken, so all of them are decided. If one were not, it must not hold up the
      // others.
      tools.log.error({ orderId: String(order.orderId) }, "an order was taken before it was due");
    }
  }
  crashPoint("settlement.counted");
  const late = findLate(written.settledAt, written.rows, tools.pauses.list());
  const told: Step[] = late === null ? [] : [[WRITE_INCIDENT, [incidentEntry(late)]]];
  await lane.flush([...told, ...writeSteps(tools, written), ...progressSteps(progress), [COMMIT]]);
  if (late !== null) tools.pauses.add(late);
  crashPoint("settlement.committed");
  return {
    orderIds: written.rows.map(({ order }) => order.orderId),
    members: written.rows.map(({ order }) => order.memberId),
    full: full && written.rows.length + written.postponed.length > 0,
    postponed: written.postponed.length > 0,
  };
}

/**
 * Removes settled orders, and those that start waiting, from the running ones. Nearly always whole groups are removed;
 * single orders only when others of their group cannot be settled.
 */
function leaveSteps(rows: readonly SettledRow[], postponed: readonly PostponedRow[]): Step[] {
  const leaving: readonly TakenOrder[] = [...rows, ...postponed];
  const left = new Map<bigint, number>();
  for (const { groupId, groupSize } of leaving)
    if (groupId !== null) left.set(groupId, (left.get(groupId) ?? groupSize) - 1);
  const numbers = (orders: readonly TakenOrder[]) => int8Array(orders.map(({ order }) => order.orderId));
  const orderIds = numbers(leaving);
  const awaited = rows.filter(({ groupId }) => groupId === null);
  const groups = (whole: boolean) => [...left].flatMap(([id, count]) => ((count === 0) === whole ? [id] : []));
  const shrinking = groups(false);
  return [
    [DELETE_GROUPS, [int8Array(groups(true))]],
    ...(shrinking.length > 0 ? [[SHRINK_GROUPS, [int8Array(shrinking), orderIds]] as const] : []),
    ...(awaited.length > 0 ? [[DELETE_AWAITED, [numbers(awaited)]] as const] : []),
    ...(postponed.length > 0 ? [awaitingStep(postponed)] : []),
  ];
}

function awaitingStep(postponed: readonly PostponedRow[]): Step {
  const column = (cell: (row: PostponedRow) => bigint) => int8Array(postponed.map(cell));
  return [
    WRITE_AWAITING,
    [column(({ order }) => order.orderId), column(({ order }) => order.memberId), column(({ revealBy }) => revealBy)],
  ];
}

function writeSteps(tools: SettleTools, batch: CountedBatch): Step[] {
  const { rows, settledAt } = batch;
  const column = (cell: (row: SettledRow) => bigint | null) => int8Array(rows.map(cell));
  const orderIds = column(({ order }) => order.orderId);
  const memberIds = column(({ order }) => order.memberId);
  const house = [...batch.house.values()];
  return [
    [
      WRITE_SETTLEMENTS,
      [
        settledAt,
        orderIds,
        memberIds,
        column(({ memberSeq }) => memberSeq),
        column(({ settlement }) => settlement.entry?.seq ?? null),
        column(({ settlement }) => settlement.entry?.time ?? null),
        column(({ settlement }) => settlement.entry?.price ?? null),
        column(({ settlement }) => settlement.exit?.seq ?? null),
        column(({ settlement }) => settlement.exit?.time ?? null),
        column(({ settlement }) => settlement.exit?.price ?? null),
        column(({ settlement }) => settlement.profit),
        column(({ settlement }) => settlement.credit),
        column(({ availableAfter }) => availableAfter),
        arrayText(rows.map(({ settlement }) => bookedOutcome(settlement.outcome))),
        arrayText(rows.map(({ settlement }) => settlement.voidReason)),
      ],
    ],
    ...leaveSteps(rows, batch.postponed),
    [WRITE_OUTBOX, [textArray(settleEntries(settledAt, rows))]],
    ...writeMoneySteps(batch.wallets),
    [
      WRITE_HOUSE,
      [
        arrayText(house.map(({ wallet }) => wallet)),
        arrayText(house.map(({ account }) => account)),
        arrayText(house.map(({ change }) => change)),
      ],
    ],
    ...(WALLETS.some((wallet) => batch.released[wallet].size > 0)
      ? [addExposureStep(tools.stripe, batch.released)]
      : []),
  ];
}
