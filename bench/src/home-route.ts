import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { freePort } from "@fairtick/postgres";
import lighthouse from "lighthouse";
import { chromium, type Request } from "playwright-core";
import { buildStaleApps } from "../../scripts/build-app.ts";
import { inlineStyles } from "../../scripts/inline-styles.ts";
import type { Benchmark, BenchmarkOptions, BenchmarkResult } from "./benchmark.ts";
import { median, spread } from "./pairs.ts";
import { startProduct } from "./product.ts";

export const CHROMIUM = "/usr/bin/chromium";
export const QUIET = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Measures the home route of the production build on the running product: the bytes of its first load, and Lighthouse.
 */
export const homeRoute: Benchmark = { name: "home-route", run };

async function run({ quick, say }: BenchmarkOptions): Promise<BenchmarkResult> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(`The home route is measured in a browser at ${CHROMIUM}: apt-get install chromium`);
  }
  await buildStaleApps();
  const folder = mkdtempSync(join(tmpdir(), "fairtick-bench-home-"));
  const product = await startProduct(folder, await freePort());
  try {
    const loaded = await firstLoad(product.url);
    say(loaded.files.join(", "));
    const audits: Audit[] = [];
    for (let round = 0; round < (quick ? 1 : 5); round += 1) audits.push(await audit(product.url, folder));
    const figure = (pick: (audit: Audit) => number) => ({
      value: median(audits.map(pick)),
      noise: spread(audits.map(pick)),
    });
    return {
      settings: { lighthouse: "mobile, simulated slow 4G", rounds: audits.length, files: loaded.files },
      figures: [
        {
          name: "first load of the home route: scripts, gzip",
          value: loaded.scriptKb,
          unit: "KB",
          atMost: 120,
          baseline: `and ${loaded.laterScriptKb.toFixed(1)} KB once it stands`,
        },
        { name: "first load of the home route: styles, gzip", value: loaded.styleKb, unit: "KB", atMost: 8 },
        { name: "Lighthouse performance", ...figure(({ score }) => score), unit: "", atLeast: 95 },
        { name: "largest contentful paint", ...figure(({ lcpS }) => lcpS), unit: "s", atMost: 1.4 },
        { name: "total blocking time", ...figure(({ tbtMs }) => tbtMs), unit: "ms", atMost: 100 },
        { name: "cumulative layout shift", ...figure(({ cls }) => cls), unit: "", atMost: 0.02 },
      ],
    };
  } finally {
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface FirstLoad {
  readonly scriptKb: number;
  readonly styleKb: number;
  /** Scripts that the page loads after its first view. */
  readonly laterScriptKb: number;
  readonly files: readonly string[];
}

/**
 * Counts every script and style until the home route shows instruments: the files that a browser requests, each with
 * its compressed size, and the styles in the page.
 */
async function firstLoad(url: string): Promise<FirstLoad> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
  try {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    const bytes = { script: 0, stylesheet: 0, later: 0 };
    const files: string[] = [];
    const asked = new Map<Request, boolean>();
    let isDrawn = false;
    const reading: Promise<void>[] = [];
    page.on("request", (request) => asked.set(request, isDrawn));
    page.on("response", (response) => {
      const request = response.request();
      const kind = request.resourceType();
      if (kind !== "script" && kind !== "stylesheet") return;
      const isLater = asked.get(request) ?? false;
      reading.push(
        response.body().then((body) => {
          const packed = gzipSync(body, { level: 9 }).length;
          bytes[isLater ? "later" : kind] += packed;
          files.push(`${isLater ? "later " : ""}${new URL(response.url()).pathname.split("/").at(-1)} ${packed}`);
        }),
      );
    });
    await page.goto(url, { waitUntil: "load" });
    await page.locator(".home-ranking").getByText("EUR/USD").first().waitFor();
    isDrawn = true;
    await page.waitForTimeout(3_000);
    await Promise.all(reading);
    const inPage = gzipSync(inlineStyles(await (await fetch(url)).text()), { level: 9 }).length;
    return {
      scriptKb: bytes.script / 1_000,
      styleKb: (bytes.stylesheet + inPage) / 1_000,
      laterScriptKb: bytes.later / 1_000,
      files,
    };
  } finally {
    await browser.close();
  }
}

interface Audit {
  readonly score: number;
  readonly lcpS: number;
  readonly tbtMs: number;
  readonly cls: number;
}

/** Runs Lighthouse's mobile preset in a fresh browser: simulated slow 4G and a processor slowed four times. */
async function audit(url: string, folder: string): Promise<Audit> {
  const port = await freePort();
  const profile = mkdtempSync(join(folder, "profile-"));
  const browser = spawn(
    CHROMIUM,
    [...QUIET, `--remote-debugging-port=${port}`, `--user-data-dir=${profile}`, "about:blank"],
    { stdio: "ignore" },
  );
  try {
    await debuggable(port, browser);
    const result = await lighthouse(url, { port, onlyCategories: ["performance"], output: "json", logLevel: "error" });
    if (result === undefined) throw new Error("Lighthouse gave no result");
    const { audits, categories, runtimeError } = result.lhr;
    if (runtimeError !== undefined) throw new Error(`Lighthouse failed: ${runtimeError.message}`);
    const number = (id: string) => audits[id]?.numericValue ?? Number.NaN;
    return {
      score: Math.round((categories["performance"]?.score ?? Number.NaN) * 100),
      lcpS: number("largest-contentful-paint") / 1_000,
      tbtMs: number("total-blocking-time"),
      cls: number("cumulative-layout-shift"),
    };
  } finally {
    const ended = new Promise((resolve) => browser.once("close", resolve));
    browser.kill("SIGTERM");
    await ended;
  }
}

async function debuggable(port: number, browser: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 200 && browser.exitCode === null; attempt += 1) {
    const there = await fetch(`http://127.0.0.1:${port}/json/version`).then(
      (response) => response.ok,
      () => false,
    );
    if (there) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the browser did not start");
}
