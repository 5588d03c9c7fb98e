import type { Bus } from "../../platform/bus.ts";
import type { Database } from "../../platform/database.ts";
import { type Lane, openLane } from "../../platform/lane.ts";
import type { Log } from "../../platform/log.ts";
import type { TradingConfigs } from "../trading-config/index.ts";
import { settleBatch } from "./settle-batch.ts";

/** A worker's transaction. Small enough that the first results of a large expiry are out soon. */
const BATCH_ORDERS = 2_500;
const WORKERS = 2;
/** A lost message of a seal costs this at most. */
const SAFETY_MS = 1_000;

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
  let again = false;
  let closed = false;

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
      const settled = await settleBatch(lane, {
        log,
        configs: options.configs,
        stripe: options.firstStripe + worker,
        ordersMax: options.batchOrders ?? BATCH_ORDERS,
      });
      if (settled.orderIds.length > 0) {
        bus.publish("orders", { members: settled.members, orderIds: settled.orderIds });
        bus.publish("accounts", { members: [...new Set(settled.members)] });
      }
      return settled.full;
    } catch (error) {
      log.error({ err: error }, "a batch was not settled and is tried again");
      if (lane?.isUsable() !== true) {
        lanes.delete(worker);
        lane?.close().catch(() => undefined);
      }
      // The timer comes back to it; nothing is lost.
      return false;
    }
  }

  const stopListening = [bus.subscribe("ticks", wake), bus.subscribe("seals", wake)];
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
