import type { Context } from "../../platform/context.ts";
import { nameUnsigned } from "../../platform/incident-entry.ts";
import { unsignedBy, type WitnessStanding } from "./log-store.ts";
import { readOverdue } from "./overdue-entries.ts";

/** Orders pause while the newest published checkpoint is older than this. */
export const BEHIND_MS = 5_000;
/** Orders also pause while a minute's prices or slot heads are overdue by this much. Verifiers rely on it (docs/verification.md). */
export const OVERDUE_MS = 15_000;
/** A checkpoint further ahead than this means that the database's clock was set back. Its age then says nothing. */
const AHEAD_MS = 1_000;
const LOOK_EVERY_MS = 500;
/** How often to look while orders wait for the log. */
const LOOK_AGAIN_MS = 100;
/** Overdue entries are looked for only in every fourth look, since they change once a minute. */
const OVERDUE_EVERY_LOOKS = 4;
/** After this long without a successful look, the log's state counts as unknown. */
const BLIND_MS = 10_000;

/** A log that hasn't caught up after this long doesn't count as just started any more. */
const STARTED_WITHIN_MS = 60_000;

export interface LogWatch {
  /** Whether the log was complete at least once since this process started. Until then, don't report missing entries. */
  hasCaughtUp(): boolean;
  stop(): Promise<void>;
}

/**
 * Stops acceptance for the reason `log` (LOG_BEHIND) while the newest cosigned checkpoint is older than five seconds: an
 * order accepted now might not be in any checkpoint before its exit tick. Also stops it while finished prices are missing from
 * the log, since nobody could check orders against them. The database's clock decides. Does nothing if no log is published.
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
      // Orders may still be written through another connection, so a failed look counts only after BLIND_MS.
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

/** Finds out what is wrong with the public log. Checks for overdue entries less often than for the checkpoint's age. */
class LogTroubles {
  readonly #databases: Context["databases"];
  #overdue: string | null = null;
  #looks = 0;
  /** Whether the log was complete at least once. */
  hasHeldAll = false;

  constructor(databases: Context["databases"]) {
    this.#databases = databases;
  }

  async read(): Promise<string | null> {
    const [row] = await this.#databases.orders.query<{ age: bigint; witnesses: WitnessStanding[] }>(
      "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - covers_at AS age, witnesses FROM log_published WHERE size > 0",
      [],
      "log_age",
    );
    if (row === undefined) return null;
    if (row.age > BEHIND_MS || row.age < -AHEAD_MS) this.#looks = 0;
    if (row.age > BEHIND_MS) return nameUnsigned(`the public log is ${row.age} ms behind`, unsignedBy(row.witnesses));
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
