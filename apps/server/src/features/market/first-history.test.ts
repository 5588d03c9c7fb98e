import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FIRST_SM1_PARAMS } from "@fairtick/domain";
import { waitUntil } from "@fairtick/testkit";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLocalBus } from "../../platform/bus.ts";
import { systemClock } from "../../platform/clock.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { TICK_GATE_KEYS } from "../../platform/tick-gate.ts";
import { makeHistory } from "./genesis.ts";
import { readClocks } from "./market-rows.ts";
import { LEASE_MS, type Market, runMarket } from "./run-market.ts";
import { openSeedVault } from "./seed-vault.ts";
import { createSimulatedSource } from "./sources/simulated-source.ts";

const PARAMS = FIRST_SM1_PARAMS.filter(({ symbol }) => symbol === "EURUSD");
const ASLEEP = new Int32Array(new SharedArrayBuffer(4));
let context: TestContext;
let folder: string;
let other: pg.Client;
let market: Market | undefined;

beforeAll(async () => {
  context = await createTestContext();
  folder = mkdtempSync(join(tmpdir(), "first-history-"));
  other = new pg.Client({ connectionString: context.database.url });
  await other.connect();
});
afterAll(async () => {
  await market?.stop();
  await other.end();
  await context.close();
  rmSync(folder, { recursive: true });
});

it("a market isn't taken over while it makes its first history, although that blocks it for longer than its lease", async () => {
  const database = context.databases.market;
  const attempts: Promise<pg.QueryResult<{ epoch: string | null }>>[] = [];
  market = runMarket({
    database,
    bus: createLocalBus((error) => {
      throw error;
    }),
    log: context.log,
    clock: systemClock,
    openSources: (desk) => [
      createSimulatedSource({ database, log: context.log, vault: openSeedVault(folder), instruments: PARAMS, ...desk }),
    ],
    genesis: (symbol, end) => {
      // The server runs it while this process is blocked, as another market process would.
      const wait = `SELECT pg_sleep(${(LEASE_MS + 500) / 1_000})`;
      const take = `SELECT take_market(${TICK_GATE_KEYS.market}, ${LEASE_MS}) AS epoch`;
      attempts.push(other.query(`WITH waited AS MATERIALIZED (${wait}) ${take} FROM waited`));
      Atomics.wait(ASLEEP, 0, 0, LEASE_MS + 1_500);
      return makeHistory(
        PARAMS.find((params) => params.symbol === symbol)!,
        end,
      );
    },
  });
  const [clock] = await waitUntil("the first tick", async () => {
    const clocks = await readClocks(database);
    return clocks[0] !== undefined && Number(clocks[0].time) > Date.now() - 5_000 ? clocks : null;
  });
  const answers = await Promise.all(attempts);
  expect(answers.map(({ rows }) => rows[0]?.epoch)).toEqual([null]);
  const [writer] = await database.query<{ epoch: bigint; lease_ms: bigint }>(
    "SELECT epoch, lease_ms FROM market_writer",
  );
  expect(writer).toEqual({ epoch: clock?.writerEpoch, lease_ms: BigInt(LEASE_MS) });
}, 60_000);
