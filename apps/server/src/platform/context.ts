import type { Clock } from "@fairtick/domain";
import { parentChannel } from "./bus-ipc.ts";
import { createBus, type Bus, type BusChannel } from "./bus.ts";
import { systemClock } from "./clock.ts";
import { ConfigError, type Config } from "./config.ts";
import { armCrashPoint } from "./crash-point.ts";
import { type Database, type DatabaseRole, openDatabase } from "./database.ts";
import { createHealth, type Health } from "./health.ts";
import { createLog, type Log } from "./log.ts";
import { createMetrics, serveMetrics, type Metrics } from "./metrics.ts";
import { createShutdown, endOnSignals, type Shutdown } from "./shutdown.ts";

/** Everything that features are given. They reach the outside world in no other way. */
export interface Context {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly databases: Databases;
}

/** What a process has in addition. Only the start of its roles (`src/roles`) uses it. */
export interface Process extends Context {
  readonly metrics: Metrics;
  /** The port on the loopback address that serves the metrics. */
  readonly metricsPort: number;
  /** What currently doesn't work. */
  readonly health: Health;
  /** Everything that runs timers, sockets or loops adds a function here that ends them. */
  readonly shutdown: Shutdown;
}

export type Databases = Readonly<Record<DatabaseRole, Database>>;

/** Two lanes for acceptance, and one that retries failed batches. */
const ORDER_LANES = 3;
const POOL_SIZES: Record<DatabaseRole, number> = {
  market: 3,
  orders: ORDER_LANES,
  settlement: 4,
  money: 4,
  sessions: 8,
  reader: 8,
  jobs: 2,
  chain: 2,
  payout: 2,
  console: 6,
  log: 2,
};

/**
 * Opens a pool for each role, and in the paying one a connection for each of the chains. On the order path nothing may wait long,
 * and plans must not be made while tables are empty.
 */
export function openDatabases(url: string, log: Log, chains = 0): Databases {
  const open = (role: DatabaseRole): Database =>
    openDatabase({
      url,
      role,
      max: POOL_SIZES[role] + (role === "payout" ? chains : 0),
      pipeline: role === "orders" || role === "market",
      settings: {
        statement_timeout: role === "jobs" ? "10min" : "30s",
        ...((role === "orders" || role === "market" || role === "settlement") && {
          plan_cache_mode: "force_generic_plan",
          idle_in_transaction_session_timeout: "2s",
        }),
        ...(role === "orders" && { lock_timeout: "1s" }),
      },
      onError: (error) => log.warn({ err: error, role }, "an idle database connection broke"),
    });
  return {
    market: open("market"),
    orders: open("orders"),
    settlement: open("settlement"),
    money: open("money"),
    sessions: open("sessions"),
    reader: open("reader"),
    jobs: open("jobs"),
    chain: open("chain"),
    payout: open("payout"),
    console: open("console"),
    log: open("log"),
  };
}

export async function closeDatabases(databases: Databases): Promise<void> {
  await Promise.all(Object.values(databases).map((database) => database.end()));
}

/**
 * Sets up one process of the family. It ends on signals and together with the start script: first it closes what was added to
 * `shutdown`, databases last.
 */
export async function startProcess(config: Config, name: "market" | "server"): Promise<Process> {
  const log = createLog(name, config.logLevel);
  const shutdown = createShutdown(log);
  endOnSignals(shutdown, log);
  armCrashPoint(config.crashAt);
  const databases = openDatabases(config.databaseUrl, log, config.chains.length);
  shutdown.add("databases", () => closeDatabases(databases));
  const health = createHealth(systemClock);
  const channel = await openChannel(config, log, health);
  if (channel) shutdown.add("bus", () => channel.close());
  const bus = createBus((error) => {
    log.error({ err: error }, "a bus subscriber failed");
  }, channel);
  const metrics = createMetrics(name);
  const metricsServer = await serveMetrics(metrics, name === "server" ? config.metricsPort : 0);
  shutdown.add("metrics", () => metricsServer.close());
  const metricsPort = metricsServer.port;
  return { config, log, clock: systemClock, bus, databases, metrics, metricsPort, health, shutdown };
}

async function openChannel(config: Config, log: Log, health: Health): Promise<BusChannel | undefined> {
  if (config.natsUrl !== null) {
    const { natsChannel } = await import("./bus-nats.ts");
    const { host } = new URL(config.natsUrl);
    return natsChannel(config.natsUrl, log, (cause) => health.set("bus", cause)).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      const todo = "Start it, correct NATS_URL, or unset it to let the processes of one start talk to each other.";
      throw new ConfigError(`NATS at ${host} cannot be used (${why}). ${todo}`);
    });
  }
  return parentChannel();
}
