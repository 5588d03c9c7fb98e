import { spawn } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { DAY_MS, type Instant } from "@fairtick/domain";
import { type Builder, createBuilder } from "@fairtick/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { minuteLines, openLogFiles } from "../log/index.ts";
import { listTicks } from "../market/list-ticks.ts";
import { logPriceMinutes } from "../market/price-log.ts";
import { openTestTape, type TestPrice, type TestTape } from "../market/testing.ts";
import { createOrderWorld } from "../orders/test-world.ts";
import { exportOldTicks, openPriceArchive, type PriceArchive, readFolder, TICKS_KEPT_DAYS } from "./index.ts";

const DAY = 20_454;
const START = BigInt(DAY) * DAY_MS;
const END = START + DAY_MS;
/** The first moment at which the day is old enough to be exported. */
const LATER = (START + BigInt(TICKS_KEPT_DAYS + 1) * DAY_MS) as Instant;
const SYMBOLS = ["EURUSD", "BTCUSD"] as const;
let context: TestContext;
let build: Builder;
let tape: TestTape;
let archive: PriceArchive;
let folder: string;
let played: TestPrice[];

beforeEach(async () => {
  context = await createTestContext();
  build = await createBuilder(context.database.url);
  folder = join(context.config.dataDir, "log", "public");
  archive = openPriceArchive(context.databases.reader, readFolder(folder));
  tape = await openTestTape(context.databases.market, SYMBOLS, START - DAY_MS);
  // These go from the day before into the day after, across both midnights. One minute of the day has no tick.
  const times = [START - 1_000n, START, START + 999n, START + 59_999n, START + 180_000n, END - 500n, END - 1n, END];
  played = times.map((time, index): TestPrice => [time, 1_085_000n + BigInt(index)]);
  const last: TestPrice = [END + 2n * DAY_MS, 1_085_500n];
  for (const symbol of SYMBOLS)
    await tape.play(
      symbol,
      [...played, last].map(([time, price]) => [time, symbol === "EURUSD" ? price : price + 1n]),
    );
  for (const symbol of SYMBOLS) await logPriceMinutes(context.databases.market, symbol, (END + 2n * DAY_MS) as Instant);
});
afterEach(async () => {
  await build.end();
  await context.close();
});

const files = () => openLogFiles(folder);
const stored = () => readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".gz"));
async function exported(now = LATER) {
  return exportOldTicks(context, await files(), now);
}
async function rowsOfDay() {
  const rows = await context.databases.reader.query("SELECT FROM ticks WHERE time >= $1 AND time < $2", [START, END]);
  return rows.length;
}
/** Reads the ticks in every way that features read them, minute by minute and as lists. */
async function everything() {
  const reader = context.databases.reader;
  const minutes: (string | undefined)[] = [];
  for (const minute of [-1n, 0n, 1n, 2n, 3n, 1439n, 1440n]) {
    for (const symbol of SYMBOLS) {
      const found = await minuteLines(reader, archive, symbol, (START + minute * 60_000n) as Instant);
      minutes.push(found?.text);
    }
  }
  const span = (from: bigint, to: bigint, limit = 100) =>
    listTicks(reader, archive, { symbol: "EURUSD", from: from as Instant, to: to as Instant, limit });
  return {
    minutes,
    all: await span(0n, END + DAY_MS),
    day: await span(START, END - 1n),
    first: await span(START - DAY_MS, END, 3),
    last: await span(END - 1n, END),
  };
}

describe("ticks that are older than ninety days", () => {
  it("are read the same as before when they are only in files", async () => {
    const before = await everything();
    expect(before.minutes.filter((lines) => lines === undefined)).toHaveLength(4);
    expect(before.all).toHaveLength(8);
    expect(await exported((LATER - 1n) as Instant)).toEqual([DAY - 1]);
    expect(await rowsOfDay()).toBe(12);
    expect(await exported()).toEqual([DAY]);
    expect(await rowsOfDay()).toBe(0);
    expect(await everything()).toEqual(before);
    expect(await exported()).toEqual([]);
  });

  it("are in files that are named after their hash and can be read without Fairtick", async () => {
    await exported();
    expect(stored()).toHaveLength(4);
    const [row] = await context.databases.reader.query<{ hash: Uint8Array; ticks: bigint }>(
      "SELECT hash, ticks FROM price_files WHERE day = $1 AND symbol = 'EURUSD'",
      [DAY],
    );
    const name = Buffer.from(row!.hash).toString("hex");
    const bytes = await readFolder(folder).read(`archive/${name.slice(0, 2)}/${name}.gz`);
    const lines = gunzipSync(bytes!).toString().trimEnd().split("\n");
    expect(lines).toEqual(played.slice(1, 7).map(([time, price], index) => [index + 2, time, price].join(",")));
    expect(row!.ticks).toBe(6n);
  });

  it("are searched for the tick before a moment, even past midnight", async () => {
    await exported();
    const last = await archive.last("EURUSD", (START - 3_600_000n) as Instant, (START - 1n) as Instant);
    expect(last?.time).toBe(START - 1_000n);
    expect(await archive.last("EURUSD", (START + 60_000n) as Instant, (START + 179_999n) as Instant)).toBeNull();
  });

  it("stay in the table if one of them differs from the log, while the days beside it are moved", async () => {
    await build.client.query("ALTER TABLE ticks DISABLE TRIGGER USER");
    await build.client.query(`ALTER TABLE ticks_${DAY} DISABLE TRIGGER USER`);
    await build.client.query("UPDATE ticks SET price = price + 1 WHERE symbol = 'BTCUSD' AND time = $1", [
      START + 999n,
    ]);
    expect(await exported()).toEqual([DAY - 1]);
    expect(await rowsOfDay()).toBe(12);
  });

  it("stay until the log has all of them", async () => {
    const late = (END + 10n * DAY_MS) as Instant;
    await tape.play("EURUSD", [[late, 1_085_600n]]);
    const now = (late + BigInt(TICKS_KEPT_DAYS + 1) * DAY_MS) as Instant;
    const day = DAY + 11;
    expect(await exported(now)).not.toContain(day);
    await logPriceMinutes(context.databases.market, "EURUSD", (late + DAY_MS) as Instant);
    // The newest tick of an instrument stays, however old it is.
    await tape.seal("EURUSD", late + 2n * DAY_MS);
    expect(await exported(now)).not.toContain(day);
    await tape.play("EURUSD", [[late + 3n * DAY_MS, 1_085_700n]]);
    expect(await exported(now)).toContain(day);
  });

  it("can't be dropped from the table while one of their files is missing", async () => {
    const refusal = async () => {
      const [row] = await context.databases.jobs.query<{ against: string | null }>(
        "SELECT drop_filed_day($1, $2) AS against",
        [DAY, LATER],
      );
      return row?.against;
    };
    expect(await refusal()).toMatch(/EURUSD: 6 ticks, 0 in files, 6 logged/);
    expect(await rowsOfDay()).toBe(12);
    await expect(context.databases.reader.query("SELECT drop_filed_day($1, 0)", [DAY])).rejects.toThrow(/permission/);
  });

  it("are reported as missing if their file is gone or damaged, and never as nonexistent", async () => {
    await exported();
    const [name = ""] = stored();
    writeFileSync(join(folder, name), "bent");
    const seen = await Promise.allSettled(
      SYMBOLS.flatMap((symbol) =>
        [START - DAY_MS, START].map((from) => archive.between(symbol, from as Instant, (from + DAY_MS) as Instant)),
      ),
    );
    expect(seen.filter(({ status }) => status === "rejected").length).toBeGreaterThan(0);
    rmSync(join(folder, "archive"), { recursive: true });
    const fresh = openPriceArchive(context.databases.reader, readFolder(folder));
    await expect(fresh.minute("EURUSD", START as Instant)).rejects.toThrow(/missing/);
  });
});

describe("an export that is killed", () => {
  async function runChild(crashAt: string): Promise<string | null> {
    const env = {
      PATH: process.env["PATH"],
      DATABASE_URL: context.database.url,
      DATA_DIR: context.config.dataDir,
      LOG_LEVEL: "silent",
      FAIRTICK_CRASH_AT: crashAt,
    };
    const child = spawn(process.execPath, [join(import.meta.dirname, "export-child.ts"), String(LATER)], {
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
    return new Promise((resolve) => {
      child.on("exit", (_code, signal) => resolve(signal));
    });
  }

  it.each(["prices.stored:3", "prices.named:4", "prices.proven:2", "prices.dropped:2"])(
    "at %s loses nothing, and is continued",
    { timeout: 30_000 },
    async (point) => {
      const before = await everything();
      expect(await runChild(point)).toBe("SIGKILL");
      archive = openPriceArchive(context.databases.reader, readFolder(folder));
      expect(await everything()).toEqual(before);
      await exported();
      expect(await rowsOfDay()).toBe(0);
      expect(await everything()).toEqual(before);
      expect(stored()).toHaveLength(4);
    },
  );

  it("makes a file again that was lost before its ticks were dropped", async () => {
    const before = await everything();
    expect(await runChild("prices.proven:2")).toBe("SIGKILL");
    for (const name of stored()) rmSync(join(folder, name));
    expect(await exported()).toEqual([DAY]);
    const reader = openPriceArchive(context.databases.reader, readFolder(folder));
    const lines = await reader.minute("BTCUSD", START as Instant);
    expect(lines).toBe(before.minutes[3]);
  });
});

describe("running orders", () => {
  it("keep the ticks that they may be settled with", async () => {
    const world = await createOrderWorld();
    const member = await world.build.createMember();
    await world.tick();
    const { acceptedAt } = await world.accepted(member);
    // Otherwise the day that the clock jumps ahead would void the order.
    await world.settlement.close();
    const day = BigInt(Math.floor(acceptedAt / Number(DAY_MS)));
    await world.build.client.query("UPDATE instrument_clock SET time = $1, sealed_through = $1", [(day + 3n) * DAY_MS]);
    const { rows } = await world.build.client.query("SELECT drop_filed_day($1, 0) AS against", [String(day - 1n)]);
    expect(rows[0]).toEqual({ against: "there is no such day" });
    await world.build.client.query("SELECT ensure_tick_partitions($1, $1)", [String((day - 1n) * DAY_MS)]);
    const again = await world.build.client.query("SELECT drop_filed_day($1, 0) AS against", [String(day - 1n)]);
    expect(again.rows[0]).toEqual({ against: "orders that run" });
    await world.close();
  });
});
