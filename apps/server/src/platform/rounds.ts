import type { Log } from "./log.ts";

export interface Rounds {
  /** No round begins any more; resolves when the one under way has ended. */
  stop(): Promise<void>;
}

export interface RoundsOptions {
  readonly log: Pick<Log, "warn">;
  readonly everyMs: number;
  /** The sentence for the log when a round fails; the next one comes all the same. */
  readonly failed: string;
  /** Whether the first round comes at once, as a rule, or only after `everyMs`. */
  readonly atStart?: boolean;
}

/** Does something every so many milliseconds until stopped, never twice at once: a round that takes longer takes the next one's turn. */
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
