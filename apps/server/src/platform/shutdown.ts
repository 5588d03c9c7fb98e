import type { Log } from "./log.ts";

/** Functions that close parts of this process when it ends, newest first. */
export interface Shutdown {
  /** `close` runs once, before everything that was added earlier. */
  add(name: string, close: () => Promise<void> | void): void;
  /** Closes everything and resolves when done. Later calls wait for the first. */
  run(reason: string): Promise<void>;
}

export function createShutdown(log: Log): Shutdown {
  const steps: { name: string; close: () => Promise<void> | void }[] = [];
  let running: Promise<void> | undefined;

  async function closeAll(reason: string): Promise<void> {
    log.info({ reason }, "stopping");
    for (const step of steps.toReversed()) {
      try {
        await step.close();
      } catch (error) {
        log.error({ step: step.name, err: error }, "a part did not close");
      }
    }
  }

  return {
    add(name, close) {
      steps.push({ name, close });
    },
    run: (reason) => (running ??= closeAll(reason)),
  };
}

/** Shorter than the start script waits before it kills the server. It gives the market, which has less to close, half of that. */
const GRACE_MS = 3_000;

/**
 * Ends the process cleanly (code 0) on SIGTERM and SIGINT, and when the process that started it is gone. So a family ends
 * together even if the start script was killed.
 */
export function endOnSignals(shutdown: Shutdown, log: Log): void {
  let ending = false;
  const end = (reason: string) => {
    // A Ctrl-C may arrive twice, from the terminal and from the start script.
    if (ending) return;
    ending = true;
    // Don't wait forever for a part that hangs. Nothing is lost, since everything that counts is in the tables.
    setTimeout(() => {
      log.error("stopping took too long");
      process.exit(1);
    }, GRACE_MS).unref();
    void shutdown.run(reason).then(() => process.exit(0));
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => {
      end(signal);
    });
  }
  if (process.send) {
    process.on("disconnect", () => {
      end("the start script is gone");
    });
  }
}
