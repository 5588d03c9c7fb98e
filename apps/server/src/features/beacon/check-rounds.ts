import { Worker } from "node:worker_threads";
import type { BeaconRound } from "@fairtick/transparency";

/** Message to the worker thread: rounds to check. */
export interface CheckRequest {
  readonly id: number;
  readonly publicKey: Uint8Array;
  readonly rounds: readonly BeaconRound[];
}

/** Answer of the worker thread: `wrong` contains indexes into `rounds`. */
export interface CheckAnswer {
  readonly id: number;
  readonly wrong: readonly number[];
}

/**
 * Returns the indexes of the rounds whose signature isn't valid under the chain's key. Rejects if the check itself failed, in
 * which case nothing is known about the rounds.
 */
export type RoundChecker = (publicKey: Uint8Array, rounds: readonly BeaconRound[]) => Promise<readonly number[]>;

interface Waiting {
  readonly answer: (wrong: readonly number[]) => void;
  readonly fail: (error: unknown) => void;
}

const PROGRAM = new URL("./check-rounds-worker.ts", import.meta.url);

/**
 * Creates a checker that runs in a worker thread. One pairing check takes about 75 ms in JavaScript, and on the thread that
 * makes prices, ticks would have to wait for it. The worker starts at once and keeps no process alive. If it exits, the next
 * check starts a new one.
 */
export function createRoundChecker(): RoundChecker {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined = begin();
  let newest = 0;

  function begin(): Worker {
    const begun = new Worker(PROGRAM);
    begun.on("message", ({ id, wrong }: CheckAnswer) => {
      waiting.get(id)?.answer(wrong);
      waiting.delete(id);
    });
    begun.on("error", (error) => lose(begun, error));
    begun.on("exit", (code) => lose(begun, new Error(`the thread that checks rounds ended (${code})`)));
    // After the listeners: one for messages keeps the process alive.
    begun.unref();
    return begun;
  }

  function lose(lost: Worker, error: unknown): void {
    if (worker !== lost) return;
    worker = undefined;
    for (const { fail } of waiting.values()) fail(error);
    waiting.clear();
  }

  return (publicKey, rounds) => {
    if (rounds.length === 0) return Promise.resolve([]);
    worker ??= begin();
    const { promise, resolve, reject } = Promise.withResolvers<readonly number[]>();
    newest += 1;
    waiting.set(newest, { answer: resolve, fail: reject });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
    worker.postMessage({ id: newest, publicKey, rounds } satisfies CheckRequest);
    return promise;
  };
}
