import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "@fairtick/postgres";
import { waitUntil } from "@fairtick/testkit";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";

const PROJECT = resolve(import.meta.dirname, "../..");
const TIMEOUT_MS = 240_000;

let data: string;
let running: Dev | undefined;
/** Touched files with their original times. */
const touched = new Map<string, { readonly atime: Date; readonly mtime: Date }>();
beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), "fairtick-develop-"));
});
afterEach(async () => {
  running?.child.kill("SIGTERM");
  await running?.ended;
  // Restore the times, so that the next build doesn't treat the sources as newer.
  for (const [path, { atime, mtime }] of touched) utimesSync(path, atime, mtime);
  touched.clear();
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

interface Dev {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  readonly member: string;
  readonly office: string;
  readonly output: () => string;
}

async function startDev(): Promise<Dev> {
  const [port, consolePort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, ["scripts/launch.mjs", "scripts/start.ts", "--develop"], {
    cwd: PROJECT,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      PORT: String(port),
      CONSOLE_PORT: String(consolePort),
      DATA_DIR: data,
      LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => (text += bytes.toString("utf8")));
  const ended = new Promise((done) => child.once("close", (code, signal) => done(code ?? signal)));
  running = {
    child,
    ended,
    member: `http://127.0.0.1:${port}`,
    office: `http://127.0.0.1:${consolePort}`,
    output: () => text,
  };
  await waitUntil(
    "everything to run",
    () => {
      if (child.exitCode !== null) throw new Error(`it ended:\n${text}`);
      return /Ctrl-C ends it\.[^]*Auditor/.test(text) || null;
    },
    TIMEOUT_MS / 2,
  );
  return running;
}

function touch(file: string): number {
  const path = join(PROJECT, file);
  const { atime, mtime } = statSync(path);
  if (!touched.has(path)) touched.set(path, { atime, mtime });
  utimesSync(path, new Date(), new Date());
  return performance.now();
}

/** Returns the process ids of all descendants of a process. */
function descendantsOf(pid: number): number[] {
  const { stdout } = spawnSync("ps", ["-e", "-o", "pid=,ppid="], { encoding: "utf8" });
  const pairs = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const family = [pid];
  for (const parent of family) family.push(...pairs.filter(([, its]) => its === parent).map(([own = 0]) => own));
  return family.slice(1);
}

const isThere = (pid: number) => existsSync(`/proc/${pid}`);

function commandOf(pid: number): string {
  return spawnSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" }).stdout;
}

const textAt = async (address: string) => (await fetch(address)).text();

/** Collects the messages that the dev server sends to an open page. */
async function listenAsPage(base: string): Promise<string[]> {
  const client = await textAt(`${base}/@vite/client`);
  const token = /wsToken = "([^"]+)"/.exec(client)?.[1] ?? "";
  const messages: string[] = [];
  const socket = new WebSocket(`${base.replace("http", "ws")}/?token=${token}`, "vite-hmr");
  socket.addEventListener("message", ({ data: message }) => messages.push(String(message)));
  await waitUntil("the dev server's greeting", () => messages.length > 0 || null, 20_000);
  return messages;
}

it(
  "serves both apps with hot reload over the real server, and restarts the parts affected by a change",
  { timeout: TIMEOUT_MS },
  async () => {
    const { child, ended, member, office, output } = await startDev();
    expect(output()).toContain(`Members' app (hot reload)`);
    expect(await textAt(`${office}/src/app/App.tsx`)).toContain("import.meta.hot");

    // Edit to screen: the page is told which module to fetch again.
    expect(await textAt(`${member}/src/app/LoadFailed.tsx`)).toContain("import.meta.hot");
    const messages = await listenAsPage(member);
    const editedMs = touch("apps/member/src/app/LoadFailed.tsx");
    await waitUntil(
      "a hot update",
      () => messages.find((message) => message.includes('"update"') && message.includes("LoadFailed.tsx")) ?? null,
      20_000,
    );
    const screenMs = performance.now() - editedMs;

    // Edit to restart: requests during the restart get the new process's response.
    expect(await textAt(`${member}/health/ready`)).toContain('"ready":true');
    const pid = /Process server +(\d+)/.exec(output())?.[1] ?? "";
    const savedMs = touch("apps/server/src/features/orders/order-rows.ts");
    await waitUntil("the news", () => output().includes("order-rows.ts changed") || null, 10_000);
    await waitUntil("the end of the old process", () => !isThere(Number(pid)) || null, 10_000);
    const answer = await fetch(`${member}/client/market/all`, { method: "POST", body: "" });
    expect(answer.headers.get("content-type")).toContain("application/json");
    const restartMs = performance.now() - savedMs;
    await waitUntil("the new process", () => /The server process is running again/.exec(output()), 30_000);
    expect(output()).toContain(
      "apps/server/src/features/orders/order-rows.ts changed: starting the server process again.",
    );
    // The market's process hasn't loaded that file, and no process loads a test.
    touch("apps/server/src/features/orders/place-order.test.ts");
    await new Promise((done) => setTimeout(done, 500));
    expect(output()).not.toContain("starting the market");
    expect(output().match(/starting the server process again/g)).toHaveLength(1);

    touch("apps/server/src/roles/market.ts");
    await waitUntil("the market", () => /The market process is running again/.exec(output()), 30_000);
    console.log(`edit to screen ${screenMs.toFixed(0)} ms, edit to an answer ${restartMs.toFixed(0)} ms`);

    const family = descendantsOf(child.pid ?? 0);
    expect(family.length).toBeGreaterThan(6);
    child.kill("SIGINT");
    expect(await ended).toBe(0);
    await waitUntil("the end of all", () => !family.some(isThere) || null, 10_000);
  },
);

it("leaves no processes behind when it is killed, and ends cleanly on SIGTERM", { timeout: TIMEOUT_MS }, async () => {
  const first = await startDev();
  const apps = descendantsOf(first.child.pid ?? 0).filter((pid) => commandOf(pid).includes("serve-app.ts"));
  expect(apps).toHaveLength(2);
  first.child.kill("SIGKILL");
  expect(await first.ended).toBe("SIGKILL");
  await waitUntil("the end of the apps' servers", () => !apps.some(isThere) || null, 20_000);
  // This start takes over the database and the chain that the killed one left running.
  const second = await startDev();
  const family = descendantsOf(second.child.pid ?? 0);
  second.child.kill("SIGTERM");
  expect(await second.ended).toBe(0);
  await waitUntil("the end of all", () => !family.some(isThere) || null, 10_000);
});
