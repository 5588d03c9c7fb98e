import type { OrderWish, PlaceOutcome } from "./order-wish.ts";
import { createBatchRunner, NOT_NOW, pause, type RunnerOptions, type Waiting } from "./run-batch.ts";

export const BATCH_ORDERS_MAX = 1_000;
const LANES = 2;
/**
 * Minimum size of a batch that starts while another one is running. Each batch has a fixed cost, so two halves at once cost a
 * sixth more processor time than one whole batch and finish no sooner on two cores.
 */
const BESIDE_ORDERS_MIN = 256;
/** Collects single orders and places them in batches. */
export interface Collector {
  place(wish: OrderWish): Promise<PlaceOutcome>;
  /** Waits for orders in flight; later ones are refused with NOT_NOW. */
  close(): Promise<void>;
}

export interface CollectorOptions extends RunnerOptions {
  /** First of the exposure stripes that this process's lanes own. */
  readonly firstStripe: number;
  readonly lanes?: number;
}

/**
 * Creates the collector. Orders that arrive while a batch is in flight form the next one, or several if there are many, split
 * evenly over the free lanes. A member's orders stay in one batch, so no lane waits for a row that another lane holds.
 */
export function createCollector(options: CollectorOptions): Collector {
  const { elapsedMs } = options;
  const runner = createBatchRunner(options);
  let queue: Waiting[] = [];
  let drainPlanned = false;
  let closed = false;
  const free = Array.from({ length: options.lanes ?? LANES }, (_, number) => options.firstStripe + number);
  const running = new Set<Promise<void>>();

  function planDrain(): void {
    if (drainPlanned || batchesDue() === 0) return;
    drainPlanned = true;
    // Start after this turn's events, so that orders that arrived together share a batch.
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
      const run = runner.run(stripe, batch).finally(() => {
        running.delete(run);
        // Reuse the lane that just finished: its backend has the newest pages cached.
        free.unshift(stripe);
        planDrain();
      });
      running.add(run);
    }
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
      runner.stopWaiting();
      while (running.size > 0 || queue.length > 0) {
        planDrain();
        await (running.size > 0 ? Promise.all(running) : pause(1));
      }
      await runner.close();
    },
  };
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
