import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@fairtick/postgres";
import type { Order } from "@fairtick/protocol";
import { type Browser, chromium, type Page } from "playwright-core";
import { buildStaleApps } from "../../scripts/build-app.ts";
import type { Benchmark, BenchmarkOptions, BenchmarkResult } from "./benchmark.ts";
import { CHROMIUM, QUIET } from "./home-route.ts";
import { median, spread } from "./pairs.ts";
import { startProduct } from "./product.ts";

const VIEWPORT = { width: 390, height: 844 };
const SLOWDOWN = 4;
/** Lighthouse's slow 4G, applied by the browser itself. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };
const DEMO = { account: "demo@fairtick.example", password: "lantern-orchid-demo" };
const SECONDS = 30;
const RESULT_MS_MAX = 60_000;
/** By then the app has loaded its other messages and its service worker. */
const HOME_STANDS_MS = 6_000;

/**
 * Measures how long a member waits for the trade screen on slow 4G with a processor slowed four times: after a tap in
 * home's tab bar, and by its address in a browser without any of the app. Also measures, at the machine's own speed,
 * the time from a settlement to its result on whatever screen the member is looking at, and on the order's own screen
 * from the result to "verified on this device".
 */
export const tradeScreen: Benchmark = { name: "trade-screen", run };

async function run({ quick }: BenchmarkOptions): Promise<BenchmarkResult> {
  if (!existsSync(CHROMIUM))
    throw new Error(`The screen is opened in a browser at ${CHROMIUM}: apt-get install chromium`);
  await buildStaleApps();
  const folder = mkdtempSync(join(tmpdir(), "fairtick-bench-trade-"));
  const product = await startProduct(folder, await freePort());
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
  const rounds = quick ? 1 : 5;
  try {
    const member = await logIn(product.url);
    const [tapped, opened]: [Loaded[], Loaded[]] = [[], []];
    const [shown, verified]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      tapped.push(await tapTrade(browser, product.url, member));
      opened.push(await openTrade(browser, product.url, member));
      shown.push(await showResult(browser, product.url, member));
      verified.push(await verifyResult(browser, product.url, member));
    }
    const whole = (loads: readonly Loaded[]) => loads.map((load) => load.whole);
    const tappable = (loads: readonly Loaded[]) => loads.map((load) => load.tappable);
    const figure = (name: string, values: readonly number[], unit: string, atMost?: number) => ({
      name,
      value: median(values),
      unit,
      ...(atMost !== undefined && { atMost }),
      noise: spread(values),
    });
    return {
      settings: { slowdown: SLOWDOWN, network: SLOW_4G, rounds },
      figures: [
        figure("trade screen from a tap on home's tab, for the first time, chart and Up", whole(tapped), "s", 2),
        figure("by its address, with nothing of the app in the browser, until Up can be tapped", tappable(opened), "s"),
        figure("the same until the chart is drawn too", whole(opened), "s"),
        figure("a result on another screen, after its settlement", shown, "ms", 150),
        figure("the result verified on this device, after it is drawn", verified, "ms", 1_000),
      ],
    };
  } finally {
    await browser.close();
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Seconds until Up could be tapped, and until the chart was drawn too. */
interface Loaded {
  readonly tappable: number;
  readonly whole: number;
}

interface LoggedIn {
  readonly access_token: string;
  readonly userInfo: unknown;
}

async function ask<Data>(url: string, path: string, fields: Record<string, string>, token = ""): Promise<Data> {
  const answer = await fetch(`${url}/client/${path}`, {
    method: "POST",
    headers: token === "" ? {} : { exchange2508Token: token },
    body: new URLSearchParams(fields),
  });
  const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: Data };
  if (code !== 200) throw new Error(`${path}: ${code} ${msg}`);
  return data;
}

const logIn = (url: string): Promise<LoggedIn> => ask(url, "auth/login", DEMO);

async function memberPage(browser: Browser, { access_token, userInfo }: LoggedIn): Promise<Page> {
  const page = await browser.newPage({ viewport: VIEWPORT });
  const loginState = JSON.stringify({ userInfo, loginAddress: "/pages/index/index" });
  await page.addInitScript(
    `localStorage.setItem("exchange2508Token", ${JSON.stringify(access_token)}); localStorage.setItem("loginState", ${JSON.stringify(loginState)})`,
  );
  return page;
}

async function slow(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", SLOW_4G);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
}

async function tapTrade(browser: Browser, url: string, member: LoggedIn): Promise<Loaded> {
  const page = await memberPage(browser, member);
  try {
    await page.goto(url);
    await page.locator(".home-ranking").getByText("EUR/USD").first().waitFor();
    await page.waitForTimeout(HOME_STANDS_MS);
    await slow(page);
    return await page.evaluate<Loaded>(`(${UNTIL_TRADABLE})(true)`);
  } finally {
    await page.close();
  }
}

async function openTrade(browser: Browser, url: string, member: LoggedIn): Promise<Loaded> {
  const page = await memberPage(browser, member);
  try {
    await slow(page);
    await page.goto(`${url}/#/pages/trade/index`, { waitUntil: "commit" });
    return await page.evaluate<Loaded>(`(${UNTIL_TRADABLE})(false)`);
  } finally {
    await page.close();
  }
}

/** Ends an order placed elsewhere while the member is on the market screen. */
async function showResult(browser: Browser, url: string, member: LoggedIn): Promise<number> {
  const page = await memberPage(browser, member);
  try {
    await page.goto(`${url}/#/pages/market/index`);
    await page.locator(".row-link").first().waitFor();
    await page.waitForTimeout(HOME_STANDS_MS);
    const { orderNo } = await placeOrder(url, member);
    const drawnAt = await page.evaluate<number>(`(${RESULT_DRAWN})(${RESULT_MS_MAX})`);
    const { settledAt } = await ask<Order>(url, "order/detail", { orderNo }, member.access_token);
    return drawnAt - (settledAt ?? Number.NaN);
  } finally {
    await page.close();
  }
}

/** Ends an order while the member is on its own screen, and returns the ms from its result to its verification. */
async function verifyResult(browser: Browser, url: string, member: LoggedIn): Promise<number> {
  const page = await memberPage(browser, member);
  try {
    const { orderNo } = await placeOrder(url, member);
    await page.goto(`${url}/#/pages/trade/trade?orderNo=${orderNo}`);
    await page.locator("[data-testid=countdown]").waitFor();
    return await page.evaluate<number>(`(${UNTIL_VERIFIED})(${RESULT_MS_MAX})`);
  } finally {
    await page.close();
  }
}

async function placeOrder(url: string, { access_token }: LoggedIn): Promise<Order> {
  const fields = {
    wallet: "practice",
    symbol: "EURUSD",
    direction: "up",
    stake: "10.00",
    duration: String(SECONDS),
    clientOrderId: randomUUID(),
  };
  return ask(url, "order/place", fields, access_token);
}

/**
 * Runs in the page: returns the seconds until Up can be tapped, and until the chart is drawn too; `byTap` taps there from
 * home.
 */
const UNTIL_TRADABLE = `async (byTap) => {
  const begun = byTap ? performance.now() : 0;
  if (byTap) document.querySelector('nav.tabs a[href^="#/pages/trade"]').click();
  const isDrawn = () => document.querySelector("[data-testid=chart][data-state=shown]") !== null;
  const isTappable = () =>
    [...document.querySelectorAll("button")].some((each) => each.textContent.trim().startsWith("Buy up") && !each.disabled);
  const until = async (isThere) => {
    while (!isThere()) {
      if (performance.now() - begun > 30_000) throw new Error("the trade screen didn't load");
      await new Promise((done) => setTimeout(done, 10));
    }
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return (performance.now() - begun) / 1000;
  };
  const tappable = await until(isTappable);
  return { tappable, whole: await until(() => isTappable() && isDrawn()) };
}`;

/** Runs in the page: returns the time at which a result is drawn, ms since 1970. */
const RESULT_DRAWN = `(most) => new Promise((done, fail) => {
  const look = () => {
    if (document.querySelector("[data-testid=island-result]") === null) return;
    watching.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(Date.now())));
  };
  const watching = new MutationObserver(look);
  watching.observe(document.body, { subtree: true, childList: true });
  setTimeout(() => fail(new Error("no result was drawn")), most);
})`;

/** Runs in the page: returns the ms from the drawn outcome until the app has verified it. */
const UNTIL_VERIFIED = `(most) => new Promise((done, fail) => {
  let drawnAt = null;
  const look = () => {
    if (document.querySelector("[data-testid=outcome]") === null) return;
    drawnAt ??= performance.now();
    if (document.querySelector("[data-testid=verify-line][data-at-once=ok]") === null) return;
    watching.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - drawnAt)));
  };
  const watching = new MutationObserver(look);
  watching.observe(document.body, { subtree: true, childList: true, attributes: true });
  setTimeout(() => fail(new Error("the result wasn't verified")), most);
})`;
