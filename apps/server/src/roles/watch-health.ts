import { findBeaconTrouble, findBrokenEpochs, findDryInstruments } from "../features/market/index.ts";
import type { AcceptanceSwitch } from "../features/orders/index.ts";
import type { TradingConfigs } from "../features/trading-config/index.ts";
import type { SignerDoor } from "../features/signer/index.ts";
import type { Process } from "../platform/context.ts";
import type { HealthReport } from "../platform/health.ts";
import { type Rounds, startRounds } from "../platform/rounds.ts";
import { createSchemaCheck } from "../platform/schema-check.ts";

const EVERY_MS = 1_000;
/** How often to check the schema, which reads the catalogs of all tables. */
const SCHEMA_EVERY_MS = 3_000;
const SIGNER_EVERY_MS = 2_000;
/** A database that takes longer for one row counts as unreachable. */
const ANSWER_MS_MAX = 3_000;

export interface HealthWatch {
  readonly report: () => HealthReport;
  stop(): Promise<void>;
}

/** Watches the parts this server depends on, and reports what doesn't work to `/health/ready` and the console's incidents. */
export function watchHealth(watched: WatchedProcess, parts: WatchedParts): HealthWatch {
  return new RunningHealthWatch(watched, parts);
}

type WatchedProcess = Pick<Process, "databases" | "clock" | "log" | "health">;

interface WatchedParts {
  readonly acceptance: Pick<AcceptanceSwitch, "troubles">;
  readonly configs: Pick<TradingConfigs, "current">;
  readonly signer: Pick<SignerDoor, "state"> | null;
}

class RunningHealthWatch implements HealthWatch {
  readonly #process: WatchedProcess;
  readonly #parts: WatchedParts;
  readonly #checkSchema = createSchemaCheck();
  readonly #rounds: readonly Rounds[];
  #hasPrices = true;
  #schemaDueAt = 0;

  constructor(watched: WatchedProcess, parts: WatchedParts) {
    this.#process = watched;
    this.#parts = parts;
    const { log } = watched;
    const failed = "the parts of this server could not be looked at";
    this.#rounds = [
      startRounds({ log, everyMs: EVERY_MS, failed }, () => this.#lookAtDatabase()),
      startRounds({ log, everyMs: SIGNER_EVERY_MS, failed }, () => this.#lookAtSigner()),
    ];
  }

  // An arrow function, since the servers get it without the watch.
  readonly report = (): HealthReport => {
    const { health } = this.#process;
    const stops = this.#parts.acceptance.troubles();
    const ready = health.ready();
    const accepting = ready && this.#hasPrices && stops.length === 0;
    return { ready, accepting, degraded: [...health.troubles(), ...stops] };
  };

  async stop(): Promise<void> {
    await Promise.all(this.#rounds.map((each) => each.stop()));
  }

  async #lookAtDatabase(): Promise<void> {
    const { databases, health, log } = this.#process;
    const row = await within(ANSWER_MS_MAX, databases.reader.query("SELECT 1")).catch((error: unknown) => {
      log.warn({ err: error }, "the database does not answer");
      return null;
    });
    health.block("database", row === null ? "PostgreSQL does not answer: no call can be answered" : undefined);
    if (row === null) return;
    // If something can't be read, the schema check explains why.
    const looks = [this.#lookAtSchema(), this.#lookAtPrices(), this.#lookAtEpochs(), this.#lookAtBeacon()];
    for (const each of await Promise.allSettled(looks))
      if (each.status === "rejected") log.warn({ err: each.reason as unknown }, "a part could not be checked");
  }

  async #lookAtSchema(): Promise<void> {
    const { databases, clock, health } = this.#process;
    if (clock.elapsedMs() < this.#schemaDueAt) return;
    this.#schemaDueAt = clock.elapsedMs() + SCHEMA_EVERY_MS;
    try {
      health.block("schema", await this.#checkSchema(databases.reader));
    } catch (error) {
      health.block("schema", `it cannot be read (${error instanceof Error ? error.message : String(error)})`);
      throw error;
    }
  }

  async #lookAtPrices(): Promise<void> {
    const { databases, clock, health } = this.#process;
    const now = clock.now();
    const { cause, isAll } = await findDryInstruments(databases.reader, this.#parts.configs.current(now), now);
    health.set("prices", cause);
    this.#hasPrices = !isAll;
  }

  async #lookAtEpochs(): Promise<void> {
    const { databases, health } = this.#process;
    health.set("epochs", await findBrokenEpochs(databases.reader));
  }

  async #lookAtBeacon(): Promise<void> {
    const { databases, clock, health } = this.#process;
    health.set("beacon", await findBeaconTrouble(databases.reader, clock.now()));
  }

  async #lookAtSigner(): Promise<void> {
    const { signer } = this.#parts;
    if (signer === null) return;
    const state = await within(ANSWER_MS_MAX, signer.state()).catch(() => null);
    this.#process.health.set("signer", state === null ? "the signer does not answer: withdrawals wait" : undefined);
  }
}

async function within<Value>(milliseconds: number, answer: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
