import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FIRST_SM1_PARAMS, type Instant, type Sm1Params } from "@fairtick/domain";
import { createTestDatabase, type TestDatabase, waitUntil } from "@fairtick/testkit";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createLocalBus, type BusEvents } from "../../platform/bus.ts";
import { systemClock } from "../../platform/clock.ts";
import { type Database, openDatabase } from "../../platform/database.ts";
import { makeHistory } from "./genesis.ts";
import { type Market, runMarket } from "./run-market.ts";
import { openSeedVault } from "./seed-vault.ts";
import { createSimulatedSource } from "./sources/simulated-source.ts";

const log = pino({ level: process.env["LOG_LEVEL"] ?? "silent" });
let test: TestDatabase;
let database: Database;
let folder: string;
const markets: Market[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  database = openDatabase({ url: test.url, role: "market", max: 3, pipeline: true });
  folder = mkdtempSync(join(tmpdir(), "seeds-"));
});
afterEach(async () => {
  await Promise.all(markets.splice(0).map((market) => market.stop()));
});
afterAll(async () => {
  await database.end();
  await test.drop();
  rmSync(folder, { recursive: true });
});

function start(params: readonly Sm1Params[] = FIRST_SM1_PARAMS) {
  const bus = createLocalBus((error) => {
    throw error;
  });
  const slots: BusEvents["ticks"][] = [];
  bus.subscribe("ticks", (slot) => slots.push(slot));
  const byName = new Map(params.map((one) => [one.symbol, one]));
  const market = runMarket({
    database,
    bus,
    log,
    clock: systemClock,
    openSources: (desk) => [
      createSimulatedSource({ database, log, vault: openSeedVault(folder), instruments: params, ...desk }),
    ],
    genesis: (symbol, end: Instant) => makeHistory(byName.get(symbol)!, end),
  });
  markets.push(market);
  return { market, slots };
}

describe("the simulated market, started on nothing", () => {
  it("stores and publishes punctual ticks of all instruments", async () => {
    const { market, slots } = start();
    await market.started;
    await waitUntil("twenty slots", () => slots.length >= 20, 20_000);
    expect(slots[0]?.ticks).toHaveLength(12);
  });
});
