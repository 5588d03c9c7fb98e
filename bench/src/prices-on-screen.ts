import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@fairtick/postgres";
import type { StreamMessage } from "@fairtick/protocol";
import { chromium, type Page } from "playwright-core";
import { WebSocketServer } from "ws";
import { buildStaleApps } from "../../scripts/build-app.ts";
import type { Benchmark, BenchmarkOptions, BenchmarkResult } from "./benchmark.ts";
import { CHROMIUM, QUIET } from "./home-route.ts";
import { median, spread } from "./pairs.ts";
import { startProduct } from "./product.ts";

const TICKS_PER_SECOND = 20;
const SLOWDOWN = 4;
const WARM_MS = 2_000;

/**
 * Measures the market's list in a browser slowed four times while each row receives 20 prices a second: frames drawn
 * and tasks longer than 50 ms, compared with the same list without ticks. A market with slots of 100 ms never sends
 * that many, so this benchmark sends the frames itself, over the app's own socket.
 */
export const pricesOnScreen: Benchmark = { name: "prices-on-screen", run };

async function run({ quick, say }: BenchmarkOptions): Promise<BenchmarkResult> {
  if (!existsSync(CHROMIUM))
    throw new Error(`Prices are watched in a browser at ${CHROMIUM}: apt-get install chromium`);
  await buildStaleApps();
  const folder = mkdtempSync(join(tmpdir(), "fairtick-bench-prices-"));
  const product = await startProduct(folder, await freePort());
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
  try {
    const still: Watched[] = [];
    const lively: Watched[] = [];
    for (let round = 0; round < (quick ? 1 : 5); round += 1) {
      still.push(await watch(await browser.newPage({ viewport: VIEWPORT, bypassCSP: true }), product.url, 0, quick));
      lively.push(
        await watch(
          await browser.newPage({ viewport: VIEWPORT, bypassCSP: true }),
          product.url,
          TICKS_PER_SECOND,
          quick,
        ),
      );
    }
    const rows = Math.min(...lively.map(({ rows }) => rows));
    say(`${rows} rows; price cells changed ${median(lively.map(({ changes }) => changes)).toFixed(0)} times a second`);
    const figure = (pick: (watched: Watched) => number) => ({
      value: median(lively.map(pick)),
      noise: spread(lively.map(pick)),
    });
    return {
      settings: { rows, ticksPerSecond: TICKS_PER_SECOND, slowdown: SLOWDOWN, rounds: lively.length },
      figures: [
        {
          name: "prices on screen: frames per second",
          ...figure(({ framesPerSecond }) => framesPerSecond),
          unit: "/s",
          atLeast: 59,
          baseline: `${median(still.map(({ framesPerSecond }) => framesPerSecond)).toFixed(1)} while nothing ticks`,
        },
        {
          name: "prices on screen: tasks longer than 50 ms",
          ...figure(({ longTasks }) => longTasks),
          unit: "",
          atMost: 0,
          baseline: `${median(still.map(({ longTasks }) => longTasks))} while nothing ticks`,
        },
      ],
    };
  } finally {
    await browser.close();
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tall enough for every row. */
const VIEWPORT = { width: 390, height: 1_300 };

interface Watched {
  readonly rows: number;
  readonly framesPerSecond: number;
  readonly longTasks: number;
  /** Changes of the list's text per second, to prove that prices arrive on the screen. */
  readonly changes: number;
}

async function watch(page: Page, url: string, ticksPerSecond: number, quick: boolean): Promise<Watched> {
  const feed = await feedTicks(page, url, ticksPerSecond);
  try {
    await page.goto(`${url}/#/pages/market/index`);
    await page.locator(".row-link").first().waitFor();
    const slow = await page.context().newCDPSession(page);
    await slow.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    await page.waitForTimeout(WARM_MS);
    return await page.evaluate<Watched>(`(${WATCH_FRAMES})(${quick ? 4_000 : 10_000})`);
  } finally {
    feed.stop();
    await page.close();
  }
}

/**
 * Replaces the server on the page's socket and sends a price of each instrument `perSecond` times a second. The socket
 * is a real one, because intercepting a page's socket costs the page as much as the app does. The page must allow other
 * origins (`bypassCSP`).
 */
export async function feedTicks(page: Page, url: string, perSecond: number): Promise<{ stop(): void }> {
  const answer = await fetch(`${url}/client/market/instruments`, { method: "POST" });
  const { data } = (await answer.json()) as {
    data: { symbol: string; price: string; decimals: number; seq: number }[];
  };
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  let count = 0;
  const ticks = (): StreamMessage => {
    count += 1;
    const now = Date.now();
    const price = (usual: string, decimals: number) => (Number(usual) * (1 + (count % 97) / 100_000)).toFixed(decimals);
    return {
      t: "ticks",
      now,
      d: data.map(({ symbol, price: usual, decimals, seq }) => [
        symbol,
        seq + 1_000_000 + count,
        now,
        price(usual, decimals),
      ]),
    };
  };
  server.on("connection", (socket) => {
    const tell = (message: StreamMessage) => socket.send(JSON.stringify(message));
    socket.on("message", (text: Buffer) => {
      const { op } = JSON.parse(text.toString()) as { op: "subscribe" | "ping" };
      tell({ t: "ok", op, now: Date.now() });
    });
    if (perSecond === 0) return;
    const timer = setInterval(() => tell(ticks()), 1_000 / perSecond);
    socket.on("close", () => clearInterval(timer));
  });
  const { port } = server.address() as AddressInfo;
  await page.addInitScript(`WebSocket = class extends WebSocket { constructor() { super("ws://127.0.0.1:${port}") } }`);
  return {
    stop: () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}

/** Runs in the page, whose types aren't this process's. */
const WATCH_FRAMES = `async (forMs) => {
  const list = document.querySelector("main");
  let longTasks = 0;
  const tasks = new PerformanceObserver((entries) => {
    longTasks += entries.getEntries().length;
  });
  tasks.observe({ type: "longtask" });
  let changes = 0;
  const texts = new MutationObserver((found) => {
    changes += found.length;
  });
  texts.observe(list, { subtree: true, characterData: true });
  let frames = 0;
  const begun = performance.now();
  await new Promise((done) => {
    const count = (at) => {
      frames += 1;
      if (at - begun >= forMs) done();
      else requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  const seconds = (performance.now() - begun) / 1000;
  tasks.disconnect();
  texts.disconnect();
  const rows = document.querySelectorAll(".row-link").length;
  return { rows, framesPerSecond: frames / seconds, longTasks, changes: changes / seconds };
}`;
