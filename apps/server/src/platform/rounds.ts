import type { Log } from "./log.ts";

export interface Rounds {
  /** Starts no more rounds. Resolves when the current one has ended. */
  stop(): Promise<void>;
}

export interface RoundsOptions {
  readonly log: Pick<Log, "warn">;
  readonly everyMs: number;
  /** The log message for a round that fails. The next round runs anyway. */
  readonly failed: string;
  /** Whether the first round runs at once (the default) or only after `everyMs`. */
  readonly atStart?: boolean;
}

/** Runs something every `everyMs` milliseconds until stopped, never twice at once. A round that takes longer replaces the next one. */
export function startRounds(
  { log, everyMs, failed, atStart = true }: RoundsOptions,
  round: () => Promise<unknown>,
): Rounds {
  let running: Promise<unknown> | undefined;
  const begin = () => {
    running ??= round()
      .catch((error: unknown) => {
        log.warn({ err: error }, failed);
      })
      .finally(() => (running = undefined));
  };
  if (atStart) begin();
  const timer = setInterval(begin, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
