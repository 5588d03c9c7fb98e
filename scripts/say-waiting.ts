/** Says from time to time what a start still waits for, so that one that takes long can be told from one that hangs. */
export interface WaitingList {
  /** Adds a part until its promise settles. Returns the promise. */
  add<Of>(what: string, part: Promise<Of>): Promise<Of>;
  close(): void;
}

const EVERY_MS = 15_000;

/** @param everyMs how long a start may take before it says so, and between two sentences */
export function openWaitingList(say: (sentence: string) => void, everyMs = EVERY_MS): WaitingList {
  const waiting = new Set<string>();
  const begun = performance.now();
  const timer = setInterval(() => {
    if (waiting.size === 0) return;
    const seconds = Math.round((performance.now() - begun) / 1_000);
    say(`Still starting after ${seconds} s. Waiting for: ${[...waiting].join(", ")}.`);
  }, everyMs);
  timer.unref();
  return {
    async add(what, part) {
      waiting.add(what);
      try {
        return await part;
      } finally {
        waiting.delete(what);
      }
    },
    close: () => clearInterval(timer),
  };
}
