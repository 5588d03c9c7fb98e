import { findBeaconTrouble, findBrokenEpochs, findDryInstruments } from "../features/market/index.ts";
import type { AcceptanceSwitch } from "../features/orders/index.ts";
import type { TradingConfigs } from "../features/trading-config/index.ts";
import type { SignerDoor } from "../features/signer/index.ts";
import type { Process } from "../platform/context.ts";
import type { HealthReport } from "../platform/health.ts";
import { startRounds } from "../platform/rounds.ts";
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
export function watchHealth(
  { databases, clock, log, health }: Pick<Process, "databases" | "clock" | "log" | "health">,
  parts: {
    readonly acceptance: Pick<AcceptanceSwitch, "troubles">;
    readonly configs: Pick<TradingConfigs, "current">;
    readonly signer: Pick<SignerDoor, "state"> | null;
  },
): HealthWatch {
  const { acceptance, configs, signer } = parts;
  const { reader } = databases;
  const checkSchema = createSchemaCheck();
  let hasPrices = true;
  let schemaDueAt = 0;

  async function lookAtDatabase(): Promise<void> {
    const row = await within(ANSWER_MS_MAX, reader.query("SELECT 1")).catch((error: unknown) => {
      log.warn({ err: error }, "the database does not answer");
      return null;
    });
    health.block("database", row === null ? "PostgreSQL does not answer: no call can be answered" : undefined);
    if (row === null) return;
    // If something can't be read, the schema check explains why.
    const seen = await Promise.allSettled([lookAtSchema(), lookAtPrices(), lookAtEpochs(), lookAtBeacon()]);
    for (const each of seen)
      if (each.status === "rejected") log.warn({ err: each.reason as unknown }, "a part could not be looked at");
  }

  async function lookAtSchema(): Promise<void> {
    if (clock.elapsedMs() < schemaDueAt) return;
    schemaDueAt = clock.elapsedMs() + SCHEMA_EVERY_MS;
    try {
      health.block("schema", await checkSchema(reader));
    } catch (error) {
      health.block("schema", `it cannot be read (${error instanceof Error ? error.message : String(error)})`);
      throw error;
    }
  }

  async function lookAtPrices(): Promise<void> {
    const now = clock.now();
    const { cause, isAll } = await findDryInstruments(reader, configs.current(now), now);
    health.set("prices", cause);
    hasPrices = !isAll;
  }

  async function lookAtEpochs(): Promise<void> {
    health.set("epochs", await findBrokenEpochs(reader));
  }

  async function lookAtBeacon(): Promise<void> {
    health.set("beacon", await findBeaconTrouble(reader, clock.now()));
  }

  async function lookAtSigner(): Promise<void> {
    if (signer === null) return;
    const state = await within(ANSWER_MS_MAX, signer.state()).catch(() => null);
    health.set("signer", state === null ? "the signer does not answer: withdrawals wait" : undefined);
  }

  const failed = "the parts of this server could not be looked at";
  const rounds = [
    startRounds({ log, everyMs: EVERY_MS, failed }, lookAtDatabase),
    startRounds({ log, everyMs: SIGNER_EVERY_MS, failed }, lookAtSigner),
  ];
  return {
    report() {
      const stops = acceptance.troubles();
      const ready = health.ready();
      return { ready, accepting: ready && hasPrices && stops.length === 0, degraded: [...health.troubles(), ...stops] };
    },
    async stop() {
      await Promise.all(rounds.map((each) => each.stop()));
    },
  };
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
