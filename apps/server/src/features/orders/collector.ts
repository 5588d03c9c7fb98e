import type { IdSource } from "@fairtick/domain";
import type { AcceptanceSigner } from "../../platform/acceptance-signer.ts";
import { isConnectionLost } from "../../platform/database-errors.ts";
import { type Database, sqlState } from "../../platform/database.ts";
import { type Lane, openLane } from "../../platform/lane.ts";
import type { Log } from "../../platform/log.ts";
import type { RegionBook } from "../regions/index.ts";
import type { TradingConfigs } from "../trading-config/index.ts";
import type { AcceptanceSwitch } from "./acceptance-switch.ts";
import type { ExposureView } from "./exposure.ts";
import type { TermsCache } from "./member-terms.ts";
import type { OrderWish, PlaceOutcome } from "./order-wish.ts";
import { placeBatch } from "./place-batch.ts";
import { createResendWatch } from "./resend-watch.ts";

export const BATCH_ORDERS_MAX = 1_000;
const LANES = 2;
/**
 * Minimum size of a batch that starts while another one is running. Each batch has a fixed cost, so two halves at once cost a
 * sixth more processor time than one whole batch and finish no sooner on two cores.
 */
const BESIDE_ORDERS_MIN = 256;
/** How long a wish waits for the database to come back. The app resends it with the same client id anyway. */
const GIVE_UP_MS = 8_000;
const LATE = "FT002";
/** How long we keep looking for an order that may exist while the database is down. */
const FIND_OUT_MS = 60_000;
/** Transient errors worth a retry: deadlock, lock timeout, a key taken at the same moment. */
const AGAIN = new Set(["40P01", "55P03", "23505", LATE]);

/** SQLSTATE classes that say nothing about the orders: connection lost, read-only server, transient rollback, out of
 * resources, server shutting down, system error. */
const SHARED_CLASSES = new Set(["08", "25", "40", "53", "57", "58"]);

/** Collects single orders and places them in batches. */
export interface Collector {
  place(wish: OrderWish): Promise<PlaceOutcome>;
  /** Waits for orders in flight; later ones are refused with NOT_NOW. */
  close(): Promise<void>;
}

export interface CollectorOptions {
  readonly database: Database;
  readonly log: Log;
  readonly ids: IdSource;
  readonly configs: TradingConfigs;
  readonly exposure: ExposureView;
  readonly acceptance: AcceptanceSwitch;
  readonly signer?: AcceptanceSigner | undefined;
  readonly regions: RegionBook;
  readonly terms: TermsCache;
  /** First of the exposure stripes that this process's lanes own. */
  readonly firstStripe: number;
  /** Monotonic milliseconds, for deadlines. */
  readonly elapsedMs: () => number;
  readonly lanes?: number;
}

interface Waiting {
  readonly wish: OrderWish;
  readonly since: number;
  /** The connection broke during this order's COMMIT, so the order may exist. */
  isUnsure: boolean;
  resolve(outcome: PlaceOutcome): void;
  reject(error: Error): void;
}

/** Looks orders up without placing any. */
const LOOK_ONLY: Pick<AcceptanceSwitch, "reasons"> = { reasons: () => new Map([["looking", ""]]) };

const NOT_NOW: PlaceOutcome = { kind: "refused", refusal: { error: "NOT_NOW" } };

/**
 * Creates the collector. Orders that arrive while a batch is in flight form the next one, or several if there are many, split
 * evenly over the free lanes. A member's orders stay in one batch, so no lane waits for a row that another lane holds.
 */
export function createCollector(options: CollectorOptions): Collector {
  const { log, elapsedMs } = options;
  const resends = createResendWatch(elapsedMs);
  let queue: Waiting[] = [];
  let drainPlanned = false;
  let closed = false;
  const free = Array.from({ length: options.lanes ?? LANES }, (_, number) => options.firstStripe + number);
  const running = new Set<Promise<void>>();
  const connections = new Map<number, Lane>();

  function planDrain(): void {
    if (drainPlanned || batchesDue() === 0) return;
    drainPlanned = true;
    // After this turn's events, so that orders that arrived together share a batch.
    setImmediate(() => {
      drainPlanned = false;
      drain();
    });
  }

  /** Number of batches to start now. */
  function batchesDue(): number {
    const alone = running.size === 0 && queue.length > 0 ? 1 : 0;
    return Math.min(free.length, Math.max(alone, Math.floor(queue.length / BESIDE_ORDERS_MIN)));
  }

  function drain(): void {
    for (const batch of splitEvenly(queue, batchesDue())) {
      const stripe = free.shift();
      if (stripe === undefined) return;
      queue = queue.length === batch.length ? [] : without(queue, batch);
      const run = runBatch(stripe, batch).finally(() => {
        running.delete(run);
        // Reuse the lane that just finished: its backend has the newest pages cached.
        free.unshift(stripe);
        planDrain();
      });
      running.add(run);
    }
  }

  async function runBatch(stripe: number, batch: readonly Waiting[]): Promise<void> {
    try {
      if (await tryBatch(stripe, batch)) return;
      if (await tryBatch(stripe, batch)) return;
      for (const single of batch) await runSingle(stripe, single);
    } catch (error) {
      await runApart(stripe, batch, error);
    }
  }

  /** Halves a failing batch until the order that cannot be placed is alone, and refuses only that one. */
  async function runApart(stripe: number, batch: readonly Waiting[], error: unknown): Promise<void> {
    const [first] = batch;
    if (first === undefined) return;
    if (batch.length === 1) {
      const { memberId, clientOrderId } = first.wish;
      log.error({ err: error, memberId: String(memberId), clientOrderId }, "an order could not be placed");
      return giveUp(stripe, batch);
    }
    log.error({ err: error, orders: batch.length }, "a batch of orders failed and is taken apart");
    const middle = batch.length >> 1;
    await runBatch(stripe, batch.slice(0, middle));
    await runBatch(stripe, batch.slice(middle));
  }

  async function runSingle(stripe: number, waiting: Waiting): Promise<void> {
    while (elapsedMs() - waiting.since < GIVE_UP_MS) {
      try {
        if (await tryBatch(stripe, [waiting])) return;
      } catch (error) {
        return runApart(stripe, [waiting], error);
      }
    }
    return giveUp(stripe, [waiting]);
  }

  /** Stops trying. Answers NOT_NOW only for orders that certainly were not placed. */
  async function giveUp(stripe: number, batch: readonly Waiting[]): Promise<void> {
    for (const waiting of batch) if (!waiting.isUnsure) waiting.resolve(NOT_NOW);
    const unsure = batch.filter(({ isUnsure }) => isUnsure);
    if (unsure.length > 0) await findOut(stripe, unsure);
  }

  /**
   * Looks the client ids up while holding the members' locks, which waits for a COMMIT still under way. If the database stays
   * down, the outcome is unknown: the call fails without an answer and the app asks again with the same id.
   */
  async function findOut(stripe: number, batch: readonly Waiting[]): Promise<void> {
    const begun = elapsedMs();
    const isOver = () => closed || elapsedMs() - begun >= FIND_OUT_MS;
    while (!isOver()) {
      try {
        const lane = await laneOf(stripe);
        const tools = { ...options, stripe, resends, acceptance: LOOK_ONLY };
        const outcomes = await placeBatch(
          lane,
          tools,
          batch.map(({ wish }) => wish),
        );
        for (const [index, waiting] of batch.entries()) waiting.resolve(outcomes[index] ?? NOT_NOW);
        return;
      } catch (error) {
        log.warn({ err: error, orders: batch.length }, "orders that may exist could not be looked up");
        connections
          .get(stripe)
          ?.close()
          .catch(() => undefined);
        connections.delete(stripe);
        await pause();
      }
    }
    for (const waiting of batch) waiting.reject(new Error("nobody can say whether the order was placed"));
  }

  /** Returns true once every order has its outcome, false if the batch was rolled back by a transient error. */
  async function tryBatch(stripe: number, batch: readonly Waiting[]): Promise<boolean> {
    let lane: Lane;
    try {
      lane = await laneOf(stripe);
    } catch (error) {
      log.warn({ err: error }, "the database takes no orders");
      await pause();
      return giveUpOld(stripe, batch);
    }
    let isCommitting = false;
    try {
      const wishes = batch.map(({ wish }) => wish);
      const outcomes = await placeBatch(
        lane,
        { ...options, stripe, resends, onCommit: () => (isCommitting = true) },
        wishes,
      );
      for (const [index, waiting] of batch.entries()) waiting.resolve(outcomes[index] ?? NOT_NOW);
      return true;
    } catch (error) {
      const state = sqlState(error);
      if (state !== undefined && AGAIN.has(state)) return false;
      if (lane.isUsable() && !isShared(error, state)) throw error;
      // The connection is gone, perhaps after the commit. The next try finds the client ids bound, or places the orders.
      log.warn({ err: error }, "an order connection was lost");
      connections.delete(stripe);
      lane.close().catch(() => undefined);
      if (isCommitting) for (const waiting of batch) waiting.isUnsure = true;
      await pause();
      return giveUpOld(stripe, batch);
    }
  }

  async function giveUpOld(stripe: number, batch: readonly Waiting[]): Promise<boolean> {
    if (batch.some(({ since }) => elapsedMs() - since < GIVE_UP_MS)) return false;
    await giveUp(stripe, batch);
    return true;
  }

  async function laneOf(stripe: number): Promise<Lane> {
    const open = connections.get(stripe);
    if (open?.isUsable() === true) return open;
    const lane = await openLane(options.database);
    connections.set(stripe, lane);
    return lane;
  }

  return {
    place(wish) {
      if (closed) return Promise.resolve(NOT_NOW);
      return new Promise((resolve, reject) => {
        queue.push({ wish, since: elapsedMs(), isUnsure: false, resolve, reject });
        planDrain();
      });
    },
    async close() {
      closed = true;
      while (running.size > 0 || queue.length > 0) {
        planDrain();
        await (running.size > 0 ? Promise.all(running) : pause(1));
      }
      await Promise.all(Array.from(connections.values(), (lane) => lane.close()));
      connections.clear();
    },
  };
}

function isShared(error: unknown, state: string | undefined): boolean {
  return isConnectionLost(error) || (state !== undefined && SHARED_CLASSES.has(state.slice(0, 2)));
}

/** Splits orders into at most `parts` batches of similar size, keeping each member's orders together and in order. */
function splitEvenly(queue: readonly Waiting[], parts: number): Waiting[][] {
  if (parts === 1 && queue.length <= BATCH_ORDERS_MAX) return [[...queue]];
  const size = Math.min(BATCH_ORDERS_MAX, Math.ceil(queue.length / parts));
  const batches: Waiting[][] = [];
  const batchOf = new Map<bigint, Waiting[]>();
  for (const waiting of queue) {
    const { memberId } = waiting.wish;
    let batch = batchOf.get(memberId) ?? batches.at(-1);
    if (batch === undefined || (batch.length >= size && !batchOf.has(memberId))) {
      if (batches.length === parts) continue;
      batch = [];
      batches.push(batch);
    }
    if (batch.length >= BATCH_ORDERS_MAX) continue;
    batchOf.set(memberId, batch);
    batch.push(waiting);
  }
  return batches;
}

function without(queue: readonly Waiting[], batch: readonly Waiting[]): Waiting[] {
  const taken = new Set(batch);
  return queue.filter((waiting) => !taken.has(waiting));
}

function pause(milliseconds = 100): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
