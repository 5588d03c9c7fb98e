import type { Bus, BusEvents } from "../../platform/bus.ts";
import { isConnectionLost, isContention } from "../../platform/database-errors.ts";
import type { Database } from "../../platform/database.ts";
import type { Lane } from "../../platform/lane.ts";
import type { Log } from "../../platform/log.ts";
import type { TradingConfigs } from "../trading-config/index.ts";
import { findAwaited, type OrderKey, type SettledBatch, settleBatch, type SettleTools } from "./settle-batch.ts";
import { createPauseBook } from "./late-settlements.ts";
import { createShelf, isSharedTrouble, settleApart } from "./settle-apart.ts";
import { createWorkerLanes, createWorkers } from "./settlement-workers.ts";

/** Orders per transaction: small enough that the first results of a large expiry go out soon. */
const BATCH_ORDERS = 2_500;
const WORKERS = 2;
/** The longest delay when a message about a new seal is lost. */
const SAFETY_MS = 1_000;
/** The longest delay when a message about a reveal is lost, and how often overdue reveals are looked for. */
const AWAITED_MS = 30_000;

export interface Settlement {
  /** Settles everything that is due now; resolves once nothing is. Used by tests and by the first run after a start. */
  settleNow(): Promise<void>;
  close(): Promise<void>;
}

export interface SettlementOptions {
  readonly database: Database;
  readonly bus: Bus;
  readonly log: Log;
  readonly configs: TradingConfigs;
  readonly firstStripe: number;
  readonly workers?: number;
  readonly batchOrders?: number;
  /** Names of the witnesses' boards in `board_readings`. An order counts as unrevealed only once they were read. */
  readonly boards?: readonly string[];
  /** How long to wait before retrying an order that failed to settle. */
  readonly retryMs?: number;
  /** Called with the orders that cannot be settled, and with undefined once there are none. */
  readonly onTrouble?: (reason: string | undefined) => void;
}

/**
 * Starts settling due orders, each time a seal moves and on a timer as a fallback. A second worker joins while batches
 * are full. Several processes may do this at once: each skips open orders that another one has locked.
 */
export function startSettlement(options: SettlementOptions): Settlement {
  const { bus } = options;
  const lanes = createWorkerLanes(options.database);
  const reveals = createRevealQueue();
  const settleOnce = createBatchStep(options, { lanes, reveals, isClosed: () => workers.isClosed });
  const workers = createWorkers(options.workers ?? WORKERS, settleOnce);
  const stopListening = [
    bus.subscribe("ticks", workers.wake),
    bus.subscribe("seals", workers.wake),
    bus.subscribe("reveals", (event) => {
      reveals.add(event);
      workers.wake();
    }),
  ];
  const timer = setInterval(workers.wake, SAFETY_MS);
  // Orders may have fallen due while no process was settling.
  workers.wake();
  return {
    async settleNow() {
      workers.wake();
      await workers.idle();
    },
    async close() {
      clearInterval(timer);
      for (const stop of stopListening) stop();
      await workers.close();
      await lanes.close();
    },
  };
}

interface StepParts {
  readonly lanes: ReturnType<typeof createWorkerLanes>;
  readonly reveals: ReturnType<typeof createRevealQueue>;
  readonly isClosed: () => boolean;
}

/** Creates the workers' step, which settles one batch and answers whether there may be more. */
function createBatchStep(options: SettlementOptions, { lanes, reveals, isClosed }: StepParts) {
  const { bus, log } = options;
  const shelf = createShelf(options.database, () => options.onTrouble?.(shelf.sentence()), options.retryMs);
  const pauses = createPauseBook();

  /** Settles one batch. Returns whether there may be more. After a failure, the timer tries again. */
  async function settleOnce(worker: number): Promise<boolean> {
    try {
      return await settleWith(await lanes.take(worker), worker);
    } catch (error) {
      const level = isConnectionLost(error) || isContention(error) ? "warn" : "error";
      log[level]({ err: error }, "a batch was not settled and will be retried");
      lanes.dropBroken(worker);
      return false;
    }
  }

  /**
   * Settles one batch. If an order in it cannot be settled, settles the others one by one and sets that order aside.
   * Orders set aside earlier are retried first when their time has come.
   */
  async function settleWith(lane: Lane, worker: number): Promise<boolean> {
    await shelf.load();
    let taken: readonly OrderKey[] = [];
    const tools: SettleTools = {
      log,
      configs: options.configs,
      stripe: options.firstStripe + worker,
      ordersMax: options.batchOrders ?? BATCH_ORDERS,
      aside: shelf.orderIds(),
      onTaken: (keys) => (taken = keys),
      pauses,
      boards: options.boards ?? [],
    };
    let hasPostponed = false;
    const tellApart = (settled: SettledBatch) => {
      tell(settled);
      hasPostponed ||= settled.postponed;
    };
    const apart = { lane, tools, shelf, tell: tellApart, isClosed };
    await settleApart(apart, shelf.takeRetries(performance.now()));
    await settleApart(apart, await reveals.take(lane, tools));
    try {
      const settled = await settleBatch(lane, tools);
      tellApart(settled);
      // Orders that begin to wait may be settled at once, also those that were taken together with waiting ones.
      if (hasPostponed) reveals.searchSoon();
      return settled.full || hasPostponed;
    } catch (error) {
      if (taken.length === 0 || isSharedTrouble(lane, error)) throw error;
      log.error({ err: error, orders: taken.length }, "a batch was not settled; its orders are settled one by one");
      await settleApart(apart, taken);
      return true;
    }
  }

  function tell({ orderIds, members }: SettledBatch): void {
    if (orderIds.length === 0) return;
    bus.publish("orders", { members, orderIds });
    bus.publish("accounts", { members: [...new Set(members)] });
  }

  return settleOnce;
}

/**
 * Collects revealed orders that a batch doesn't find on its own: those that were already due when they were revealed,
 * and those with a limit price, which may be voided before they are due.
 */
function createRevealQueue() {
  let revealed: OrderKey[] = [];
  let searchedAt = Number.NEGATIVE_INFINITY;
  return {
    add({ members, orderIds }: BusEvents["reveals"]): void {
      revealed.push(...orderIds.map((orderId, index) => ({ orderId, memberId: members[index] }) as OrderKey));
    },
    /** Makes the next `take` search the tables, whenever they were last searched. */
    searchSoon(): void {
      searchedAt = Number.NEGATIVE_INFINITY;
    },
    /** Empties the queue; every AWAITED_MS it also searches the tables, in case a message was lost. */
    async take(lane: Lane, tools: SettleTools): Promise<OrderKey[]> {
      const taken = revealed;
      revealed = [];
      if (performance.now() - searchedAt < AWAITED_MS) return taken;
      searchedAt = performance.now();
      const awaited = await findAwaited(lane, tools);
      if (awaited.length === tools.ordersMax) searchedAt = Number.NEGATIVE_INFINITY;
      return [...taken, ...awaited];
    },
  };
}
