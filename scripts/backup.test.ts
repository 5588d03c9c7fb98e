import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "@fairtick/postgres";
import { checkInvariants } from "@fairtick/server/features/ledger";
import { openDatabase } from "@fairtick/server/platform/database";
import { createBuilder, waitUntil } from "@fairtick/testkit";
import { connectionUrlOf } from "./backup/connection.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sendOrder, startLoad } from "./torture/load.ts";

// Follows docs/operations.md to the letter: backup under load, everything gone, restore into an empty folder, start.

const PROJECT = resolve(import.meta.dirname, "..");
const TIMEOUT_MS = 240_000;
let folder: string;
let product: ChildProcess | undefined;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "fairtick-backup-"));
  chmodSync(folder, 0o755);
});
afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

const environment = (name: string, port = "0") => ({
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
  PORT: port,
  CONSOLE_PORT: "0",
  DATA_DIR: join(folder, name),
  RATE_LIMIT_FACTOR: "100000",
  LOG_LEVEL: "error",
});

async function start(name: string): Promise<string> {
  const port = String(await freePort());
  const child = spawn(process.execPath, ["scripts/launch.mjs", "scripts/start.ts"], {
    cwd: PROJECT,
    env: environment(name, port),
    stdio: ["ignore", "pipe", "pipe"],
  });
  product = child;
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (said += text.toString("utf8")));
  const base = `http://127.0.0.1:${port}`;
  await waitUntil(
    "the product takes orders",
    async () => {
      if (child.exitCode !== null) throw new Error(`it ended: ${said}`);
      const answer = await fetch(`${base}/health/ready`).catch(() => null);
      return ((await answer?.json()) as { accepting: boolean } | undefined)?.accepting ?? false;
    },
    90_000,
  );
  return base;
}

async function stop(): Promise<void> {
  const ended = product;
  product = undefined;
  if (ended === undefined || ended.exitCode !== null) return;
  const gone = new Promise((done) => ended.once("exit", done));
  ended.kill("SIGTERM");
  await gone;
}

function run(command: "backup" | "restore", name: string, ...options: string[]) {
  return spawnSync("npm", ["run", "--silent", command, "--", ...options], {
    cwd: PROJECT,
    env: environment(name),
    encoding: "utf8",
  });
}

/** The same without standing still meanwhile: orders go on. */
async function runBeside(command: "backup", name: string, ...options: string[]): Promise<string> {
  const child = spawn("npm", ["run", "--silent", command, "--", ...options], { cwd: PROJECT, env: environment(name) });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (said += text.toString("utf8")));
  const code = await new Promise((done) => child.once("close", done));
  expect([code, said]).toEqual([0, expect.stringContaining("The backup is in ")]);
  return said;
}

it("restores what was confirmed before a backup under load, with all invariants", { timeout: TIMEOUT_MS }, async () => {
  const base = await start("first");
  const url = connectionUrlOf(join(folder, "first"));
  const build = await createBuilder(url);
  const tokens = await build.logIn(await build.createMembers(24, { practice: 100_000_000_000n, region: "BR" }));
  await build.end();
  const load = startLoad(base, tokens, 4);
  await waitUntil("orders", () => load.acknowledged.size > 100 || null);
  const acknowledgedBefore = new Map(load.acknowledged);
  const backup = join(folder, "backup");
  const said = await runBeside("backup", "first", "--to", backup);
  const during = load.acknowledged.size;
  expect(during).toBeGreaterThan(acknowledgedBefore.size);
  await waitUntil("orders after the backup", () => load.acknowledged.size > during || null);
  await load.stop();
  expect(said).toMatch(/everything confirmed before \d{4}-\d\d-\d\dT[\d:.]+Z/);
  await stop();
  rmSync(join(folder, "first"), { recursive: true });

  const restored = run("restore", "second", "--from", backup);
  expect([restored.status, restored.stdout]).toEqual([0, expect.stringContaining("The backup is restored into ")]);
  const again = await start("second");
  const [first] = acknowledgedBefore;
  expect(first).toBeDefined();
  for (const [clientOrderId, orderNo] of acknowledgedBefore) {
    const token = tokens[Number(clientOrderId.split("-")[1])] ?? "";
    expect((await sendOrder(again, token, clientOrderId))?.body.data.orderNo).toBe(orderNo);
  }
  const address = connectionUrlOf(join(folder, "second"));
  const jobs = openDatabase({ url: address, role: "jobs", max: 2 });
  const reader = openDatabase({ url: address, role: "reader", max: 1 });
  await waitUntil(
    "settlements",
    async () => (await reader.query("SELECT FROM open_orders LIMIT 1")).length === 0,
    90_000,
  );
  expect(await checkInvariants({ databases: { jobs } as never }, 0n)).toEqual([]);
  const [counted] = await reader.query<{ voided: bigint }>(
    "SELECT count(*) AS voided FROM settlements WHERE outcome = 'voided'",
  );
  expect(counted?.voided).toBe(0n);
  await Promise.all([jobs.end(), reader.end()]);
  expect(((await (await fetch(`${again}/health/ready`)).json()) as { degraded: unknown[] }).degraded).toEqual([]);
});

it("refuses what would overwrite or be half a backup", () => {
  expect(run("restore", "third", "--from", folder).stderr).toContain("is no complete backup");
  expect(run("restore", "second", "--from", join(folder, "backup")).stderr).toContain("second is not empty");
  expect(run("backup", "second", "--to", join(folder, "backup")).stderr).toContain("backup is not empty");
  expect(run("backup", "nowhere", "--to", join(folder, "other")).stderr).toContain("No PostgreSQL runs in");
  expect(existsSync(join(folder, "other"))).toBe(false);
});
