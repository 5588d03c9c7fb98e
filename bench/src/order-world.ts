import type { ClientId, MemberId } from "@fairtick/domain";
import { openTradingConfigs, seedTradingConfig, type TradingConfigs } from "@fairtick/server/features/trading-config";
import { createLocalBus, type Bus } from "@fairtick/server/platform/bus";
import { systemClock } from "@fairtick/server/platform/clock";
import { readConfig } from "@fairtick/server/platform/config";
import { closeDatabases, type Context, openDatabases } from "@fairtick/server/platform/context";
import { createLog } from "@fairtick/server/platform/log";
import { type Builder, createBuilder } from "@fairtick/testkit";
import type { BenchServer } from "./bench-server.ts";

/** More than all orders of a run can win or stake, in micro-USD. */
const POOL = 1_000_000_000_000_000n;
const MEMBER_MONEY = 10_000_000_000_000n;
/** A few members place the orders of thousands, so the limit is checked for every order but never reached. */
export const BENCH_TERMS = { memberRunningOrdersMax: 100_000_000 };

/** What acceptance and settlement need in this process: the product's own wiring, and members with money. */
export interface OrderWorld {
  readonly context: Context & { readonly bus: Bus };
  readonly configs: TradingConfigs;
  readonly build: Builder;
  readonly members: readonly MemberId[];
  close(): Promise<void>;
}

export async function openOrderWorld(server: BenchServer, members: number): Promise<OrderWorld> {
  const config = readConfig({ DATABASE_URL: server.url, LOG_LEVEL: "error" });
  const log = createLog("bench", config.logLevel);
  const databases = openDatabases(server.url, log);
  const bus = createLocalBus((error) => {
    throw error;
  });
  const context = { config, log, clock: systemClock, bus, databases };
  await seedTradingConfig(context, BENCH_TERMS);
  const configs = await openTradingConfigs(context);
  const build = await createBuilder(server.url);
  await build.fundPool("practice", POOL);
  const ids = await build.createMembers(members, { practice: MEMBER_MONEY, region: "BR" });
  // Set members' own limits, so that they are read and checked for every order.
  await build.client.query(
    `INSERT INTO member_limits (member_id, name, effective_at, value)
     SELECT id, name, 0, $2 FROM unnest($1::bigint[]) AS id, unnest(ARRAY['dailyStake', 'dailyLoss']) AS name`,
    [ids, MEMBER_MONEY],
  );
  await server.admin.query("VACUUM ANALYZE");
  return {
    context,
    configs,
    build,
    members: ids as MemberId[],
    async close() {
      configs.close();
      await build.end();
      await closeDatabases(databases);
    },
  };
}

/** Nine more digits follow: few enough for V8 to treat their number as a small integer. */
const ID_START = `${String(process.pid).padStart(8, "0")}-0000-7000-8000-000`;
let madeIds = 10 ** 8;

/** Returns a UUID that sorts by time, as the app's do. It is cheap to make, since its cost isn't the house's. */
export function nextClientId(): ClientId {
  madeIds += 1;
  return `${ID_START}${madeIds}` as ClientId;
}
