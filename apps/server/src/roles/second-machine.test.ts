import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitUntil } from "@fairtick/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createTestContext, type TestContext } from "../platform/test-context.ts";
import { systemClock } from "../platform/clock.ts";
import { runServer } from "../testing/running-server.ts";
import { startTestBeacon, type TestBeacon } from "../testing/test-beacon.ts";

const MARKET = join(import.meta.dirname, "market.ts");
const PATIENCE_MS = 60_000;

let context: TestContext;
let folder: string;
let beacon: TestBeacon;
const alive = new Set<ChildProcess>();

beforeAll(async () => {
  context = await createTestContext();
  folder = mkdtempSync(join(tmpdir(), "second-machine-"));
  beacon = await startTestBeacon(folder, systemClock);
});
afterEach(async () => {
  const ends = [...alive].map((child) => new Promise((resolve) => child.once("exit", resolve)));
  for (const child of alive) child.kill("SIGTERM");
  await Promise.all(ends);
});
afterAll(async () => {
  await beacon.end();
  await context.close();
  rmSync(folder, { recursive: true, force: true });
});

function startMarket(dataDir: string, more: Record<string, string> = {}) {
  const own = { DATABASE_URL: context.database.url, DATA_DIR: join(folder, dataDir), ...more };
  const env = { ...process.env, ...beacon.environment, ...own };
  const child = spawn(process.execPath, [MARKET], { env, stdio: ["ignore", "ignore", "pipe"] });
  alive.add(child);
  let said = "";
  child.stderr?.on("data", (text: Buffer) => (said += text.toString("utf8")));
  const ended = new Promise<number | null>((resolve) => {
    child.once("exit", (code) => {
      alive.delete(child);
      resolve(code);
    });
  });
  // On a starved machine an unhurried stop outlasts the grace of the process, so its code says nothing about these tests.
  async function stop(): Promise<void> {
    child.kill("SIGTERM");
    await ended;
  }
  return { ended, said: () => said, stop };
}

async function ticks(): Promise<number> {
  const [row] = await context.databases.reader.query<{ count: bigint }>(
    "SELECT count(*) FROM ticks WHERE NOT pre_genesis",
  );
  return Number(row?.count ?? 0n);
}

async function untilTicks(): Promise<void> {
  const before = await ticks();
  await waitUntil("new ticks", async () => (await ticks()) > before, PATIENCE_MS);
}

describe("a market with another data folder on the same database", { timeout: 180_000 }, () => {
  it("refuses to start beside or after the first, and says what to do", async () => {
    const first = startMarket("one");
    await untilTicks();
    const beside = startMarket("two");
    expect(await beside.ended).toBe(1);
    expect(beside.said()).toContain(`${join(folder, "two")} does not hold its keys (slots). Point DATA_DIR at`);
    await first.stop();
    const after = startMarket("two");
    expect(await after.ended).toBe(1);
    const again = startMarket("one");
    await untilTicks();
    await again.stop();
  });

  it("refuses if the embedded beacon isn't the one that opened epochs wait for", async () => {
    const other = await startTestBeacon(join(folder, "other"), systemClock);
    const strange = startMarket("one", other.environment);
    expect(await strange.ended).toBe(1);
    expect(strange.said()).toContain("does not hold its keys (beacon)");
    await other.end();
  });

  it("refuses if the seed of a committed epoch is missing, unless it is declared lost", async () => {
    const market = join(folder, "one", "market");
    const seeds = () => readdirSync(market).filter((name) => name.endsWith(".seed"));
    const epochs = seeds().map((name) => Number(/[0-9]+/.exec(name)?.[0]));
    expect(epochs.length).toBeGreaterThan(1);
    // Remove the newest seed, as if the folder were a copy from before its epoch was committed.
    const newest = Math.max(...epochs);
    rmSync(join(market, `epoch-${newest}.seed`));
    const without = startMarket("one");
    expect(await without.ended).toBe(1);
    expect(without.said()).toContain(`lacks seeds that the simulated market's prices are made of (epoch ${newest})`);
    const adopted = startMarket("one", { ADOPT_DATA_DIR: "yes" });
    await untilTicks();
    await adopted.stop();
    // It was declared lost once, so later starts needn't repeat that.
    const again = startMarket("one");
    await untilTicks();
    await again.stop();
  });
});

describe("a server with another data folder on the same database", { timeout: 120_000 }, () => {
  it("refuses to start and leaves the log to the first", async () => {
    const own = { DATA_DIR: join(folder, "server"), LOG_ORIGIN: "house.example/log" };
    const first = await runServer(context.database, own);
    await first.stop();
    const keys = () => context.databases.reader.query("SELECT key FROM log_keys ORDER BY key");
    const before = await keys();
    await expect(runServer(context.database, { ...own, DATA_DIR: join(folder, "other") })).rejects.toThrow(
      /does not hold its keys \(log, acceptance, files, push\)/,
    );
    expect(await keys()).toEqual(before);
    const again = await runServer(context.database, own);
    await again.stop();
  });
});
