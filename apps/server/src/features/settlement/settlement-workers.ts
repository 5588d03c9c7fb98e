import type { Database } from "../../platform/database.ts";
import { type Lane, openLane } from "../../platform/lane.ts";

/** Worker loops that run while there is work and stop when there is none. */
export interface Workers {
  /** Starts the first worker. If workers are already running, one of them starts again once all have stopped. */
  readonly wake: () => void;
  readonly isClosed: boolean;
  /** Resolves once no worker is running. */
  idle(): Promise<void>;
  /** Starts no more workers and waits for those that run to finish their current batch. */
  close(): Promise<void>;
}

/**
 * Creates up to `workersMax` loops around `step`, which processes one batch and answers whether there may be more. Each
 * worker that finds a full batch starts the next one, so that large expiries use all of them and small ones only one.
 */
export function createWorkers(workersMax: number, step: (worker: number) => Promise<boolean>): Workers {
  const running = new Map<number, Promise<void>>();
  let wokenMeanwhile = false;
  let closed = false;

  function start(worker: number): void {
    if (running.has(worker) || worker >= workersMax || closed) return;
    const run = work(worker).finally(() => {
      running.delete(worker);
      if (wokenMeanwhile && running.size === 0) {
        wokenMeanwhile = false;
        start(0);
      }
    });
    running.set(worker, run);
  }

  async function work(worker: number): Promise<void> {
    while (await stepUnlessClosed(worker)) start(worker + 1);
  }

  function stepUnlessClosed(worker: number): Promise<boolean> {
    return closed ? Promise.resolve(false) : step(worker);
  }

  return {
    wake() {
      if (closed) return;
      if (running.size > 0) wokenMeanwhile = true;
      else start(0);
    },
    get isClosed() {
      return closed;
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.values());
    },
    async close() {
      closed = true;
      await Promise.all(running.values());
    },
  };
}

/** Keeps one database lane per worker and replaces a lane that is no longer usable. */
export function createWorkerLanes(database: Database) {
  const lanes = new Map<number, Lane>();
  return {
    /** Returns the worker's lane, opening one if it has none that is usable. */
    async take(worker: number): Promise<Lane> {
      const known = lanes.get(worker);
      if (known?.isUsable() === true) return known;
      const opened = await openLane(database);
      lanes.set(worker, opened);
      return opened;
    },
    /** Drops the worker's lane if it broke, so that the next batch opens another. */
    dropBroken(worker: number): void {
      const lane = lanes.get(worker);
      if (lane?.isUsable() === true) return;
      lanes.delete(worker);
      lane?.close().catch(() => undefined);
    },
    async close(): Promise<void> {
      await Promise.all(Array.from(lanes.values(), (lane) => lane.close()));
    },
  };
}
