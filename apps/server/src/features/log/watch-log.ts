import type { Context } from "../../platform/context.ts";
import { readOverdue } from "./overdue-entries.ts";

/** Orders pause while the newest published checkpoint covers nothing younger than this. */
export const BEHIND_MS = 5_000;
/** And while a minute's prices or slot heads are due for so long: a verifier counts on it (docs/verification.md). */
export const OVERDUE_MS = 15_000;
/** A checkpoint covers nothing that is to come: further ahead, the database's clock was set back and its age says nothing. */
const AHEAD_MS = 1_000;
const LOOK_EVERY_MS = 500;
/** While orders wait for it. */
const LOOK_AGAIN_MS = 100;
/** What is due each minute is looked for less often. */
const OVERDUE_EVERY_LOOKS = 4;
/** Whoever has not seen it for so long does not know. */
const BLIND_MS = 10_000;

/** After so long a log that does not catch up is not one that was just started. */
const STARTED_WITHIN_MS = 60_000;

export interface LogWatch {
  /** Whether the log held all that was due once since this process started. Before that nobody is to be shown what is missing. */
  hasCaughtUp(): boolean;
  stop(): Promise<void>;
}

/**
 * Stops acceptance by the reason `log` (LOG_BEHIND) while a log is published and its newest checkpoint that counts is older
 * than five seconds: what is accepted now would stand in none before its exit tick. And while what the market finished is not
 * in it: nobody could hold those orders against their prices. The database's clock decides.
 */
export function watchLog(
  { databases, log, clock }: Pick<Context, "databases" | "log" | "clock">,
  acceptance: { stop(reason: string, detail?: string): void; clear(reason: string): void },
): LogWatch {
  const troubles = new LogTroubles(databases);
  const startedAt = clock.elapsedMs();
  let seenAt = startedAt;
  let lookedAt = startedAt;
  let isBehind = true;

  async function look(): Promise<void> {
    try {
      const trouble = await troubles.read();
      seenAt = clock.elapsedMs();
      isBehind = trouble !== null;
      if (trouble === null) acceptance.clear("log");
      else acceptance.stop("log", trouble);
    } catch (error) {
      // Whoever cannot read the database cannot write orders either, but may be by another connection.
      log.warn({ err: error }, "the public log's age could not be read");
    }
  }

  let looking: Promise<void> | null = look();
  const timer = setInterval(() => {
    const blindMs = Math.round(clock.elapsedMs() - seenAt);
    if (blindMs > BLIND_MS) acceptance.stop("log", `nobody saw for ${blindMs} ms whether the public log goes on`);
    if (!isBehind && clock.elapsedMs() - lookedAt < LOOK_EVERY_MS) return;
    lookedAt = clock.elapsedMs();
    looking ??= look().finally(() => {
      looking = null;
    });
  }, LOOK_AGAIN_MS);
  void looking.finally(() => {
    looking = null;
  });
  return {
    hasCaughtUp: () => troubles.hasHeldAll || clock.elapsedMs() - startedAt > STARTED_WITHIN_MS,
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}

/** Says what is wrong with the public log. It looks for what is due each minute less often than at the checkpoint's age. */
class LogTroubles {
  readonly #databases: Context["databases"];
  #overdue: string | null = null;
  #looks = 0;
  /** Whether the log held all that was due once. */
  hasHeldAll = false;

  constructor(databases: Context["databases"]) {
    this.#databases = databases;
  }

  async read(): Promise<string | null> {
    const [row] = await this.#databases.orders.query<{ age: bigint }>(
      "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - covers_at AS age FROM log_published WHERE size > 0",
      [],
      "log_age",
    );
    if (row === undefined) return null;
    if (row.age > BEHIND_MS || row.age < -AHEAD_MS) this.#looks = 0;
    if (row.age > BEHIND_MS) return `the public log is ${row.age} ms behind`;
    if (row.age < -AHEAD_MS) return `the public log is ${-row.age} ms ahead of the database's time`;
    if (this.#looks % OVERDUE_EVERY_LOOKS === 0 || this.#overdue !== null) await this.#lookForOverdue();
    this.#looks += 1;
    this.hasHeldAll ||= this.#overdue === null;
    return this.#overdue;
  }

  async #lookForOverdue(): Promise<void> {
    const found = await readOverdue(this.#databases.reader);
    if (found === null || found.ms <= OVERDUE_MS) this.#overdue = null;
    else {
      const minute = new Date(Number(found.minute)).toISOString();
      this.#overdue = `the ${found.what} of ${minute} are not in the public log ${found.ms} ms after their minute`;
    }
  }
}
