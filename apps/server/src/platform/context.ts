import type { Clock } from "@fairtick/domain";
import type { Bus } from "./bus.ts";
import type { Config } from "./config.ts";
import { type Database, type DatabaseRole, openDatabase } from "./database.ts";
import type { Log } from "./log.ts";

/** What features are handed: nothing of it is reached in another way. */
export interface Context {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly databases: Databases;
}

export type Databases = Readonly<Record<DatabaseRole, Database>>;

/** Two acceptance lanes, and one for what a failed batch tries again. */
const ORDER_LANES = 3;
const POOL_SIZES: Record<DatabaseRole, number> = {
  market: 3,
  orders: ORDER_LANES,
  settlement: 4,
  money: 4,
  sessions: 8,
  reader: 8,
  jobs: 2,
};

/** A pool for each role. On the order path nothing may wait long, and plans must not stem from empty tables. */
export function openDatabases(url: string, log: Log): Databases {
  const open = (role: DatabaseRole): Database =>
    openDatabase({
      url,
      role,
      max: POOL_SIZES[role],
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
  };
}

export async function closeDatabases(databases: Databases): Promise<void> {
  await Promise.all(Object.values(databases).map((database) => database.end()));
}
