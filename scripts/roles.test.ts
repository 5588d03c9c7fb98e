import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort, type RunningPostgres, startPostgres } from "@fairtick/postgres";
import { waitUntil } from "@fairtick/testkit";
import { startNats, type TestNats } from "@fairtick/testkit/nats";
import type { StreamMessage } from "@fairtick/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";

const LAUNCH = resolve(import.meta.dirname, "launch.mjs");
const START = resolve(import.meta.dirname, "start.ts");

let folder: string;
let postgres: RunningPostgres;
let nats: TestNats;
const starts: { readonly child: ChildProcess; readonly ended: Promise<unknown> }[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fairtick-roles-"));
  [postgres, nats] = await Promise.all([startPostgres({ folder: join(folder, "postgres") }), startNats()]);
});

afterAll(async () => {
  for (const { child, ended } of starts.toReversed()) {
    child.kill("SIGTERM");
    await ended;
  }
  await nats.end();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts some roles of the house with their own data folder and waits until they report that they run. */
async function start(roles: string): Promise<{ readonly base: string; readonly output: () => string }> {
  const port = String(await freePort());
  const child = spawn(process.execPath, [LAUNCH, START, "--roles", roles], {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      NODE_OPTIONS: process.env["NODE_OPTIONS"],
      PORT: port,
      CONSOLE_PORT: "0",
      DATA_DIR: join(folder, roles.replaceAll(",", "-")),
      DATABASE_URL: postgres.url,
      NATS_URL: nats.url,
      LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => (output += bytes.toString("utf8")));
  starts.push({ child, ended: new Promise((done) => child.once("close", done)) });
  await waitUntil(
    `the start of ${roles}`,
    () => {
      if (child.exitCode !== null) throw new Error(`it did not start:\n${output}`);
      return output.includes("Ctrl-C ends it.") || null;
    },
    150_000,
  );
  return { base: `http://127.0.0.1:${port}`, output: () => output };
}

it(
  "a house in two starts accepts an order in one, and settles and announces it in the other",
  { timeout: 400_000 },
  async () => {
    const front = await start("market,log,api,jobs,chain,console");
    const back = await start("stream,settlement");
    const call = async (path: string, fields: Record<string, string>, token = "") => {
      const answer = await fetch(`${front.base}/client/${path}`, {
        method: "POST",
        headers: { exchange2508Token: token },
        body: new URLSearchParams(fields),
      });
      return ((await answer.json()) as { data: Record<string, unknown> }).data;
    };
    const account = await waitUntil("the accounts", () =>
      /^ *Account \(Both wallets.*?\) +(\S+) +password (\S+)/m.exec(front.output()),
    );
    const [, name = "", password = ""] = account;
    const token = String((await call("auth/login", { account: name, password }))["access_token"]);

    const told: StreamMessage[] = [];
    const socket = new WebSocket(`${back.base.replace("http", "ws")}/client/stream`);
    socket.addEventListener("message", ({ data }) => told.push(JSON.parse(String(data)) as StreamMessage));
    await new Promise((open) => socket.addEventListener("open", open, { once: true }));
    socket.send(JSON.stringify({ op: "auth", token }));
    socket.send(JSON.stringify({ op: "subscribe", topics: ["orders"] }));

    const order = await waitUntil(
      "an acceptance",
      async () => {
        const wish = { wallet: "practice", symbol: "EURUSD", direction: "up", stake: "10.00", duration: "30" };
        const answer = await call("order/place", { ...wish, clientOrderId: "two-starts-0001" }, token);
        return "orderNo" in answer ? answer : null;
      },
      100_000,
    );
    const outcome = await waitUntil(
      "the settlement on the socket",
      () =>
        told.flatMap((one) =>
          one.t === "order" && one.d.orderNo === order["orderNo"] ? (one.d.outcome ?? []) : [],
        )[0],
      120_000,
    );
    expect(outcome).toBe((await call("order/detail", { orderNo: String(order["orderNo"]) }, token))["outcome"]);
    socket.close();
  },
);
