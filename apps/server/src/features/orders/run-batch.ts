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

/** How long a wish waits for the database to come back, in ms. The app resends it with the same client id anyway. */
const GIVE_UP_MS = 8_000;
const LATE = "FT002";
/** How long to keep looking for an order that may exist while the database is down, in ms. */
const FIND_OUT_MS = 60_000;
/** Transient errors that are worth a retry: deadlock, lock timeout, a key taken at the same moment. */
const AGAIN = new Set(["40P01", "55P03", "23505", LATE]);

/** SQLSTATE classes that say nothing about the orders: connection lost, read-only server, transient rollback, out of
 * resources, server shutting down, system error. */
const SHARED_CLASSES = new Set(["08", "25", "40", "53", "57", "58"]);

export interface RunnerOptions {
  readonly database: Database;
  readonly log: Log;
  readonly ids: IdSource;
  readonly configs: TradingConfigs;
  readonly exposure: ExposureView;
  readonly acceptance: AcceptanceSwitch;
  readonly signer?: AcceptanceSigner | undefined;
  readonly regions: RegionBook;
  readonly terms: TermsCache;
  /** Monotonic milliseconds, for deadlines. */
  readonly elapsedMs: () => number;
}

/** One order that waits for its outcome. */
export interface Waiting {
  readonly wish: OrderWish;
  /** When it came in, in monotonic milliseconds. */
  readonly since: number;
  /** Whether the connection broke during this order's COMMIT, so that the order may exist. */
  isUnsure: boolean;
  resolve(outcome: PlaceOutcome): void;
  reject(error: Error): void;
}

/** Stops placing, so that a batch only looks its orders up. */
const LOOK_ONLY: Pick<AcceptanceSwitch, "reasons"> = { reasons: () => new Map([["looking", ""]]) };

export const NOT_NOW: PlaceOutcome = { kind: "refused", refusal: { error: "NOT_NOW" } };

/**
 * Places batches over the lanes of this process and sees each order through to its outcome: it retries transient errors, isolates
 * an order that cannot be placed, and finds out what became of a batch whose connection broke during the COMMIT.
 */
export interface BatchRunner {
  /** Runs one batch on the lane of a stripe. Resolves once every order of it has its outcome. */
  run(stripe: number, batch: readonly Waiting[]): Promise<void>;
  /** Stops looking for orders that may exist, because the process is about to end. */
  stopWaiting(): void;
  /** Closes the connections. No batch may be running. */
  close(): Promise<void>;
}

export function createBatchRunner(options: RunnerOptions): BatchRunner {
  return new LaneRunner(options);
}

class LaneRunner implements BatchRunner {
  readonly #options: RunnerOptions;
  readonly #resends: ReturnType<typeof createResendWatch>;
  readonly #connections = new Map<number, Lane>();
  #isStopping = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#resends = createResendWatch(options.elapsedMs);
  }

  async run(stripe: number, batch: readonly Waiting[]): Promise<void> {
    try {
      if (await this.#tryBatch(stripe, batch)) return;
      if (await this.#tryBatch(stripe, batch)) return;
      for (const single of batch) await this.#runSingle(stripe, single);
    } catch (error) {
      await this.#runApart(stripe, batch, error);
    }
  }

  /** Halves a failing batch until the order that cannot be placed is alone, and refuses only that one. */
  async #runApart(stripe: number, batch: readonly Waiting[], error: unknown): Promise<void> {
    const [first] = batch;
    if (first === undefined) return;
    if (batch.length === 1) {
      const { memberId, clientOrderId } = first.wish;
      this.#options.log.error(
        { err: error, memberId: String(memberId), clientOrderId },
        "an order could not be placed",
      );
      return this.#giveUp(stripe, batch);
    }
    this.#options.log.error({ err: error, orders: batch.length }, "a batch of orders failed and is taken apart");
    const middle = batch.length >> 1;
    await this.run(stripe, batch.slice(0, middle));
    await this.run(stripe, batch.slice(middle));
  }

  async #runSingle(stripe: number, waiting: Waiting): Promise<void> {
    while (this.#options.elapsedMs() - waiting.since < GIVE_UP_MS) {
      try {
        if (await this.#tryBatch(stripe, [waiting])) return;
      } catch (error) {
        return this.#runApart(stripe, [waiting], error);
      }
    }
    return this.#giveUp(stripe, [waiting]);
  }

  /** Stops trying. Answers NOT_NOW only for orders that certainly were not placed. */
  async #giveUp(stripe: number, batch: readonly Waiting[]): Promise<void> {
    for (const waiting of batch) if (!waiting.isUnsure) waiting.resolve(NOT_NOW);
    const unsure = batch.filter(({ isUnsure }) => isUnsure);
    if (unsure.length > 0) await this.#findOut(stripe, unsure);
  }

  /**
   * Looks the client ids up while holding the members' locks, which waits for a COMMIT still under way. If the database stays
   * down, the outcome is unknown: the call fails without an answer and the app asks again with the same id.
   */
  async #findOut(stripe: number, batch: readonly Waiting[]): Promise<void> {
    const begun = this.#options.elapsedMs();
    const isOver = () => this.#isStopping || this.#options.elapsedMs() - begun >= FIND_OUT_MS;
    while (!isOver()) {
      try {
        const lane = await this.#laneOf(stripe);
        const tools = { ...this.#options, stripe, resends: this.#resends, acceptance: LOOK_ONLY };
        const outcomes = await placeBatch(
          lane,
          tools,
          batch.map(({ wish }) => wish),
        );
        for (const [index, waiting] of batch.entries()) waiting.resolve(outcomes[index] ?? NOT_NOW);
        return;
      } catch (error) {
        this.#options.log.warn({ err: error, orders: batch.length }, "orders that may exist could not be looked up");
        this.#connections
          .get(stripe)
          ?.close()
          .catch(() => undefined);
        this.#connections.delete(stripe);
        await pause();
      }
    }
    for (const waiting of batch) waiting.reject(new Error("nobody can say whether the order was placed"));
  }

  /** Returns true once every order has its outcome, false if the batch was rolled back by a transient error. */
  async #tryBatch(stripe: number, batch: readonly Waiting[]): Promise<boolean> {
    let lane: Lane;
    try {
      lane = await this.#laneOf(stripe);
    } catch (error) {
      this.#options.log.warn({ err: error }, "the database takes no orders");
      await pause();
      return this.#giveUpOld(stripe, batch);
    }
    let isCommitting = false;
    try {
      const wishes = batch.map(({ wish }) => wish);
      const outcomes = await placeBatch(
        lane,
        { ...this.#options, stripe, resends: this.#resends, onCommit: () => (isCommitting = true) },
        wishes,
      );
      for (const [index, waiting] of batch.entries()) waiting.resolve(outcomes[index] ?? NOT_NOW);
      return true;
    } catch (error) {
      const state = sqlState(error);
      if (state !== undefined && AGAIN.has(state)) return false;
      if (lane.isUsable() && !isShared(error, state)) throw error;
      // The connection is gone, perhaps after the commit. The next try finds the orders by client id, or places them.
      this.#options.log.warn({ err: error }, "an order connection was lost");
      this.#connections.delete(stripe);
      lane.close().catch(() => undefined);
      if (isCommitting) for (const waiting of batch) waiting.isUnsure = true;
      await pause();
      return this.#giveUpOld(stripe, batch);
    }
  }

  async #giveUpOld(stripe: number, batch: readonly Waiting[]): Promise<boolean> {
    if (batch.some(({ since }) => this.#options.elapsedMs() - since < GIVE_UP_MS)) return false;
    await this.#giveUp(stripe, batch);
    return true;
  }

  async #laneOf(stripe: number): Promise<Lane> {
    const open = this.#connections.get(stripe);
    if (open?.isUsable() === true) return open;
    const lane = await openLane(this.#options.database);
    this.#connections.set(stripe, lane);
    return lane;
  }

  stopWaiting(): void {
    this.#isStopping = true;
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#connections.values(), (lane) => lane.close()));
    this.#connections.clear();
  }
}

function isShared(error: unknown, state: string | undefined): boolean {
  return isConnectionLost(error) || (state !== undefined && SHARED_CLASSES.has(state.slice(0, 2)));
}

export function pause(milliseconds = 100): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
