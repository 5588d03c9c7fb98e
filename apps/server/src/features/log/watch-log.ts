import type { Context } from "../../platform/context.ts";

/** Orders pause while the newest published checkpoint covers nothing younger than this. */
export const BEHIND_MS = 5_000;
/** A checkpoint covers nothing that is to come: further ahead, the database's clock was set back and its age says nothing. */
const AHEAD_MS = 1_000;
const LOOK_EVERY_MS = 500;

export interface LogWatch {
  stop(): Promise<void>;
}

/**
 * Stops acceptance by the reason `log` (LOG_BEHIND) while a log is published and its newest checkpoint that counts is older
 * than five seconds: what is accepted now would stand in none before its exit tick. The database's clock decides.
 */
export function watchLog(
  { databases, log }: Pick<Context, "databases" | "log">,
  acceptance: { stop(reason: string, detail?: string): void; clear(reason: string): void },
): LogWatch {
  async function look(): Promise<void> {
    try {
      const [row] = await databases.orders.query<{ age: bigint }>(
        "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - covers_at AS age FROM log_published WHERE size > 0",
        [],
        "log_age",
      );
      if (row === undefined || (row.age <= BEHIND_MS && row.age >= -AHEAD_MS)) acceptance.clear("log");
      else if (row.age < 0n) acceptance.stop("log", `the public log is ${-row.age} ms ahead of the database's time`);
      else acceptance.stop("log", `the public log is ${row.age} ms behind`);
    } catch (error) {
      // Whoever cannot read the database cannot write orders either.
      log.warn({ err: error }, "the public log's age could not be read");
    }
  }

  let looking: Promise<void> | null = look();
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = null;
    });
  }, LOOK_EVERY_MS);
  void looking.finally(() => {
    looking = null;
  });
  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
