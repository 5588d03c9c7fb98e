import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitUntil } from "@fairtick/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { startTestBeacon, type TestBeacon } from "../../testing/test-beacon.ts";

const MARKET = join(import.meta.dirname, "../../roles/market.ts");
const PAUSES = 10;
const KILLS = 5;
/** The strict limit holds for `npm run torture:markets`, which has its machine to itself. */
const TAKEOVER_MS_MAX = process.env["OUTAGES"] === undefined ? 30_000 : 2_000;
/** Longer than anything here takes on a busy machine. The times that matter are measured separately. */
const PATIENCE_MS = 60_000;

let context: TestContext;
let folder: string;
let beacon: TestBeacon;
const alive = new Set<ChildProcess>();

beforeAll(async () => {
  context = await createTestContext();
  folder = mkdtempSync(join(tmpdir(), "markets-"));
  beacon = await startTestBeacon(folder, systemClock);
});
afterEach(async () => {
  // End every writer, even after a failed test, so that none disturbs the next test.
  const ends = [...alive].map((child) => new Promise((resolve) => child.once("exit", resolve)));
  for (const child of alive) child.kill("SIGKILL");
  await Promise.all(ends);
});
afterAll(async () => {
  await beacon.end();
  await context.close();
  rmSync(folder, { recursive: true });
});

interface Process {
  readonly child: ChildProcess;
  /** How often it stopped writing because the fence or another check refused it. */
  refusals(): number;
}

/** Starts a market process as the start script does, on the same tables and folder as the others. */
function startMarket(): Process {
  const { url } = context.database;
  const env = { ...process.env, ...beacon.environment, DATABASE_URL: url, DATA_DIR: folder, LOG_LEVEL: "warn" };
  const child = spawn(process.execPath, [MARKET], { env, stdio: ["ignore", "ignore", "pipe"] });
  alive.add(child);
  child.once("exit", () => alive.delete(child));
  let said = "";
  child.stderr?.on("data", (text: Buffer) => (said += text.toString("utf8")));
  return {
    child,
    refusals: () => said.split(/another market writer took over|the market failed, and starts over/).length - 1,
  };
}

interface Clock {
  readonly writer_epoch: bigint;
  readonly time: bigint;
}

async function clock(): Promise<Clock | undefined> {
  const [row] = await context.databases.reader.query<Clock>(
    "SELECT writer_epoch, max(time) AS time FROM instrument_clock GROUP BY writer_epoch ORDER BY writer_epoch DESC LIMIT 1",
  );
  return row;
}

/** Waits for a writer newer than `epoch` that stores ticks. Returns its epoch. */
async function writerAfter(epoch: bigint, lastTick: bigint): Promise<bigint> {
  const found = await waitUntil(
    "the next writer's ticks",
    async () => {
      const now = await clock();
      return now && now.writer_epoch > epoch && now.time > lastTick ? now : null;
    },
    PATIENCE_MS,
  );
  return found.writer_epoch;
}

/** Finds ticks that don't follow the one before by 500 ms and one number, or are not above the seal they found. */
function brokenTicks(): Promise<unknown[]> {
  return context.databases.reader.query(
    `SELECT * FROM (SELECT symbol, time, seal_before, seq - lag(seq) OVER w AS step, time - lag(time) OVER w AS gap FROM ticks
       WHERE NOT pre_genesis WINDOW w AS (PARTITION BY symbol ORDER BY seq)) t
     WHERE step <> 1 OR gap <> 500 OR time <= seal_before`,
  );
}

describe("two market processes", () => {
  it(`replace one that pauses past its lease, and refuse it when it wakes: ${PAUSES} rounds`, async () => {
    let writer = startMarket();
    let epoch = await writerAfter(0n, 0n);
    let standby = startMarket();
    const took: number[] = [];
    // The standby has to be running and waiting before the first pause.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    for (let round = 0; round < PAUSES; round += 1) {
      const before = (await clock())!;
      expect(before.writer_epoch).toBe(epoch);
      const refusals = writer.refusals();
      const pausedAt = performance.now();
      writer.child.kill("SIGSTOP");
      epoch = await writerAfter(epoch, before.time);
      took.push(Math.round(performance.now() - pausedAt));
      writer.child.kill("SIGCONT");
      const paused = writer;
      await waitUntil("the woken one to be refused", () => paused.refusals() > refusals, PATIENCE_MS);
      [writer, standby] = [standby, writer];
    }
    process.stderr.write(`takeovers took ${took.join(", ")} ms\n`);
    const median = took.toSorted((left, right) => left - right)[PAUSES / 2]!;
    expect(median).toBeLessThanOrEqual(TAKEOVER_MS_MAX);
    expect(await brokenTicks()).toEqual([]);
    for (const { child } of [writer, standby]) {
      child.kill("SIGTERM");
      await new Promise((resolve) => child.once("exit", resolve));
      expect(child.exitCode).toBe(0);
    }
  }, 300_000);

  it(`lose and double no tick when killed at any moment and started again: ${KILLS} rounds`, async () => {
    let epoch = (await clock())!.writer_epoch;
    for (let round = 0; round < KILLS; round += 1) {
      const { child } = startMarket();
      epoch = await writerAfter(epoch, (await clock())!.time);
      await new Promise((resolve) => setTimeout(resolve, 137 * (round + 1)));
      child.kill("SIGKILL");
      await new Promise((resolve) => child.once("exit", resolve));
    }
    const { child } = startMarket();
    await writerAfter(epoch, (await clock())!.time);
    child.kill("SIGTERM");
    await new Promise((resolve) => child.once("exit", resolve));
    expect(await brokenTicks()).toEqual([]);
  }, 300_000);
});
