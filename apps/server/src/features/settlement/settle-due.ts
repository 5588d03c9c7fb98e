import type { Bus, BusEvents } from "../../platform/bus.ts";
import { isConnectionLost, isContention } from "../../platform/database-errors.ts";
import type { Database } from "../../platform/database.ts";
import { type Lane, openLane } from "../../platform/lane.ts";
import type { Log } from "../../platform/log.ts";
import type { TradingConfigs } from "../trading-config/index.ts";
import { findAwaited, type OrderKey, type SettledBatch, settleBatch, type SettleTools } from "./settle-batch.ts";
import { createPauseBook } from "./late-settlements.ts";
import { createShelf, isSharedTrouble, settleApart } from "./settle-apart.ts";

/** A worker's transaction. Small enough that the first results of a large expiry are out soon. */
const BATCH_ORDERS = 2_500;
const WORKERS = 2;
/** A lost message of a seal costs this at most. */
const SAFETY_MS = 1_000;
/** A lost message of a reveal, and a week that is over, cost this at most. */
const AWAITED_MS = 30_000;

export interface Settlement {
  /** Settles what is due now; resolves once nothing is. For tests and for the first run after a start. */
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
  /** After how long what cannot be settled is tried again. */
  readonly retryMs?: number;
  /** Told which orders cannot be settled; undefined once there are none. */
  readonly onTrouble?: (reason: string | undefined) => void;
}

/**
 * Settles each time a seal moves, and by a timer besides. A second worker joins while batches are full. Any number of
 * processes may do the same: open orders that another one holds are skipped.
 */
export function startSettlement(options: SettlementOptions): Settlement {
  const { bus, log } = options;
  const workers = options.workers ?? WORKERS;
  const lanes = new Map<number, Lane>();
  const running = new Map<number, Promise<void>>();
  const shelf = createShelf(options.database, () => options.onTrouble?.(shelf.sentence()), options.retryMs);
  const pauses = createPauseBook();
  let again = false;
  let closed = false;
  /** Revealed when they were due already, or with a limit price, which may void them before. */
  let revealed: OrderKey[] = [];
  let awaitedCheckedAt = Number.NEGATIVE_INFINITY;

  function wake(): void {
    if (closed) return;
    if (running.size > 0) again = true;
    else start(0);
  }

  function start(worker: number): void {
    if (running.has(worker) || worker >= workers || closed) return;
    const run = work(worker).finally(() => {
      running.delete(worker);
      if (again && running.size === 0) {
        again = false;
        start(0);
      }
    });
    running.set(worker, run);
  }

  async function work(worker: number): Promise<void> {
    while (await settleOnce(worker)) start(worker + 1);
  }

  /** True when there may be more. */
  async function settleOnce(worker: number): Promise<boolean> {
    if (closed) return false;
    let lane: Lane | undefined;
    try {
      lane = lanes.get(worker);
      if (lane?.isUsable() !== true) {
        lane = await openLane(options.database);
        lanes.set(worker, lane);
      }
      return await settleWith(lane, worker);
    } catch (error) {
      const level = isConnectionLost(error) || isContention(error) ? "warn" : "error";
      log[level]({ err: error }, "a batch was not settled and is tried again");
      if (lane?.isUsable() !== true) {
        lanes.delete(worker);
        lane?.close().catch(() => undefined);
      }
      // The timer comes back to it; nothing is lost.
      return false;
    }
  }

  /** One batch; where something in it cannot be settled, all of it but that. What was set aside gets its turn besides. */
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
    };
    const apart = { lane, tools, shelf, tell, isClosed: () => closed };
    await settleApart(apart, shelf.takeRetries(performance.now()));
    await settleApart(apart, await takeRevealed(lane, tools));
    try {
      const settled = await settleBatch(lane, tools);
      tell(settled);
      if (settled.postponed) awaitedCheckedAt = Number.NEGATIVE_INFINITY;
      return settled.full || settled.postponed;
    } catch (error) {
      if (taken.length === 0 || isSharedTrouble(lane, error)) throw error;
      log.error({ err: error, orders: taken.length }, "a batch was not settled and is taken apart");
      await settleApart(apart, taken);
      return true;
    }
  }

  async function takeRevealed(lane: Lane, tools: SettleTools): Promise<OrderKey[]> {
    const taken = revealed;
    revealed = [];
    if (performance.now() - awaitedCheckedAt < AWAITED_MS) return taken;
    awaitedCheckedAt = performance.now();
    const awaited = await findAwaited(lane, tools);
    if (awaited.length === tools.ordersMax) awaitedCheckedAt = Number.NEGATIVE_INFINITY;
    return [...taken, ...awaited];
  }

  function hearReveals({ members, orderIds }: BusEvents["reveals"]): void {
    revealed.push(...orderIds.map((orderId, index) => ({ orderId, memberId: members[index] }) as OrderKey));
    wake();
  }

  function tell({ orderIds, members }: SettledBatch): void {
    if (orderIds.length === 0) return;
    bus.publish("orders", { members, orderIds });
    bus.publish("accounts", { members: [...new Set(members)] });
  }

  const stopListening = [
    bus.subscribe("ticks", wake),
    bus.subscribe("seals", wake),
    bus.subscribe("reveals", hearReveals),
  ];
  const timer = setInterval(wake, SAFETY_MS);
  // What fell due while nobody ran.
  wake();
  return {
    async settleNow() {
      wake();
      while (running.size > 0) await Promise.all(running.values());
    },
    async close() {
      closed = true;
      clearInterval(timer);
      for (const stop of stopListening) stop();
      await Promise.all(running.values());
      await Promise.all(Array.from(lanes.values(), (lane) => lane.close()));
    },
  };
}
