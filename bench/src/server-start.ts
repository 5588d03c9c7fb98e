import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@fairtick/postgres";
import { buildStaleApps } from "../../scripts/build-app.ts";
import type { Benchmark, BenchmarkOptions, BenchmarkResult } from "./benchmark.ts";
import { median, spread } from "./pairs.ts";
import { residentMb } from "./processor-time.ts";
import { type Product, startProduct } from "./product.ts";
import type { Figure } from "./report.ts";

const DEMO = { account: "demo@fairtick.example", password: "lantern-orchid-demo" };
const REST_MS = 5_000;

/** Measures a first `npm start` and later ones on existing data, until ready and until the first order is accepted. */
export const serverStart: Benchmark = { name: "start", run };

interface Start {
  readonly readyMs: number;
  readonly orderMs: number;
}

async function run({ quick, say }: BenchmarkOptions): Promise<BenchmarkResult> {
  const rounds = quick ? 1 : 5;
  const built = await buildStaleApps();
  say(
    `the member app ${built.includes("member") ? "was built now" : "is built"}; building it is not part of a start here`,
  );
  const first: Start[] = [];
  const later: Start[] = [];
  const memory = { server: [] as number[], market: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const folder = mkdtempSync(join(tmpdir(), "fairtick-bench-start-"));
    try {
      first.push(await startOnce(folder));
      later.push(
        await startOnce(folder, async ({ pids }) => {
          if (round > 0) return;
          await new Promise((resolve) => setTimeout(resolve, quick ? 1_000 : REST_MS));
          memory.server.push(residentMb(pids.get("server") ?? 0));
          memory.market.push(residentMb(pids.get("market") ?? 0));
        }),
      );
      say(`first ${text(first.at(-1))}, later ${text(later.at(-1))}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return {
    settings: { rounds, memberAppBuilt: true },
    figures: [
      ...startFigures("first start", first, 10),
      ...startFigures("later start", later, 3),
      {
        name: "memory of the server process at rest",
        value: median(memory.server),
        unit: "MB",
        atMost: 250,
        baseline: `the market process ${median(memory.market).toFixed(0)} MB`,
      },
    ],
  };
}

function text(start: Start | undefined): string {
  return start === undefined ? "" : `ready ${start.readyMs.toFixed(0)} ms, order ${start.orderMs.toFixed(0)} ms`;
}

function startFigures(name: string, starts: readonly Start[], atMost: number): Figure[] {
  const ready = starts.map(({ readyMs }) => readyMs / 1_000);
  const order = starts.map(({ orderMs }) => orderMs / 1_000);
  return [
    { name: `${name}: until ready`, value: median(ready), unit: "s", noise: spread(ready) },
    {
      name: `${name}: until the first order is accepted`,
      value: median(order),
      unit: "s",
      atMost,
      noise: spread(order),
    },
  ];
}

async function startOnce(folder: string, look?: (product: Product) => Promise<void>): Promise<Start> {
  const begun = performance.now();
  const product = await startProduct(folder, await freePort());
  try {
    await placeFirstOrder(product.url);
    const orderMs = performance.now() - begun;
    await look?.(product);
    return { readyMs: product.readyMs, orderMs };
  } finally {
    await product.stop();
  }
}

/** Logs in and tries to place an order until one is accepted, as a member would. */
async function placeFirstOrder(url: string): Promise<void> {
  const login = await call(url, "auth/login", DEMO);
  const token = String(Object(login.data)["access_token"]);
  const end = performance.now() + 30_000;
  let answer = login;
  for (let attempt = 0; performance.now() < end; attempt += 1) {
    const order = { wallet: "practice", symbol: "EURUSD", direction: "up", stake: "10.00", duration: "30" };
    answer = await call(url, "order/place", { ...order, clientOrderId: `bench-start-${attempt}` }, token);
    if (answer.code === 200) return;
    // Ten tries a second, waiting for a fresh price.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no order was accepted: ${JSON.stringify(answer)}`);
}

async function call(
  url: string,
  path: string,
  fields: Readonly<Record<string, string>>,
  token?: string,
): Promise<{ code: number; data: unknown }> {
  const response = await fetch(`${url}/client/${path}`, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: token === undefined ? {} : { exchange2508Token: token },
  });
  return (await response.json()) as { code: number; data: unknown };
}
