import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "@fairtick/postgres";
import { checkInvariants } from "@fairtick/server/features/ledger";
import { openDatabase } from "@fairtick/server/platform/database";
import { createBuilder, waitUntil } from "@fairtick/testkit";
import { connectionUrlOf } from "./backup/connection.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sendOrder, startLoad } from "./torture/load.ts";

// Runs the commands of docs/operations.md as written there: backup under load, loss of everything, restore into an
// empty
// folder, start. Only the folders are replaced.

const PROJECT = resolve(import.meta.dirname, "..");
const TIMEOUT_MS = 360_000;
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

/** The commands of the operations document, in order. */
const COMMANDS = commandsOf("### Backup and restore");

function commandsOf(heading: string): readonly string[] {
  const text = readFileSync(join(PROJECT, "docs/operations.md"), "utf8");
  const [, section = ""] = text.split(`\n${heading}\n`);
  const [own = ""] = section.split(/\n##+ /);
  return [...own.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = ""]) => block.trim().split("\n"));
}

/** Returns a command with this test's folders instead of an operator's. */
const written = (command = "") =>
  command.replaceAll("/backups/", `${join(folder, "backups")}/`).replaceAll("/srv/", `${folder}/`);

const environment = (name: string, port = "0") => ({
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
  NODE_OPTIONS: process.env["NODE_OPTIONS"],
  PORT: port,
  CONSOLE_PORT: "0",
  DATA_DIR: join(folder, name),
  RATE_LIMIT_FACTOR: "100000",
  LOG_LEVEL: "error",
});

async function start(name: string, command = "npm start"): Promise<string> {
  const port = String(await freePort());
  // Use a process group, as a shell would: Ctrl-C ends the shell's command and everything it started.
  const child = spawn("sh", ["-c", command], {
    cwd: PROJECT,
    env: environment(name, port),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
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
  const gone = new Promise((done) => ended.once("close", done));
  process.kill(-ended.pid!, "SIGTERM");
  await gone;
}

function run(command: "backup" | "restore", name: string, ...options: string[]) {
  return spawnSync("npm", ["run", "--silent", command, "--", ...options], {
    cwd: PROJECT,
    env: environment(name),
    encoding: "utf8",
  });
}

/** Runs a written command without blocking, so that orders go on. Returns its output. */
async function runBeside(command: string, name: string): Promise<string> {
  const child = spawn("sh", ["-c", command], { cwd: PROJECT, env: environment(name) });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (said += text.toString("utf8")));
  const code = await new Promise((done) => child.once("close", done));
  expect([command, code, said]).toEqual([command, 0, said]);
  return said;
}

it(
  "restores everything confirmed before a backup under load, with all invariants intact",
  { timeout: TIMEOUT_MS },
  async () => {
    expect(COMMANDS.map((command) => /npm (?:run )?\w+/.exec(command)?.[0])).toEqual([
      "npm run backup",
      "npm run restore",
      "npm start",
    ]);
    const [backUp, restore, startAgain] = COMMANDS.map(written);
    const base = await start("first");
    const url = connectionUrlOf(join(folder, "first"));
    const build = await createBuilder(url);
    const tokens = await build.logIn(await build.createMembers(24, { practice: 100_000_000_000n, region: "BR" }));
    await build.end();
    const load = startLoad(base, tokens, 4);
    await waitUntil("orders", () => load.acknowledged.size > 100 || null);
    const acknowledgedBefore = new Map(load.acknowledged);
    const said = await runBeside(backUp!, "first");
    expect(said).toContain(`The backup is in ${join(folder, "backups")}/`);
    const during = load.acknowledged.size;
    expect(during).toBeGreaterThan(acknowledgedBefore.size);
    await waitUntil("orders after the backup", () => load.acknowledged.size > during || null);
    await load.stop();
    expect(said).toMatch(/everything confirmed before \d{4}-\d\d-\d\dT[\d:.]+Z/);
    await stop();
    rmSync(join(folder, "first"), { recursive: true });

    expect(await runBeside(restore!, "nowhere")).toContain(`The backup is restored into ${join(folder, "restored")}`);
    const again = await start("nowhere", startAgain);
    const [first] = acknowledgedBefore;
    expect(first).toBeDefined();
    for (const [clientOrderId, orderNo] of acknowledgedBefore) {
      const token = tokens[Number(clientOrderId.split("-")[1])] ?? "";
      expect((await sendOrder(again, token, clientOrderId))?.body.data.orderNo).toBe(orderNo);
    }
    const address = connectionUrlOf(join(folder, "restored"));
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
  },
);

it("refuses to overwrite anything or to restore an incomplete backup", () => {
  expect(run("restore", "third", "--from", folder).stderr).toContain("is no complete backup");
  const [backup = ""] = readdirSync(join(folder, "backups")).map((name) => join(folder, "backups", name));
  expect(run("restore", "restored", "--from", backup).stderr).toContain("restored is not empty");
  expect(run("backup", "restored", "--to", backup).stderr).toContain("is not empty");
  expect(run("backup", "nowhere", "--to", join(folder, "other")).stderr).toContain("No PostgreSQL runs in");
  expect(existsSync(join(folder, "other"))).toBe(false);
});
