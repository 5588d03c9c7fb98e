import { existsSync } from "node:fs";
import { join } from "node:path";
import { toHex } from "@fairtick/domain";
import { formatPolicy } from "@fairtick/transparency";
import { chromium, type Page } from "playwright-core";
import { build, type Rolldown } from "vite";
import { placeSealed, reveal } from "../../scripts/tamper-drill/sealed/device.ts";
import { openSealedHouse, type SealedHouse } from "../../scripts/tamper-drill/sealed/house.ts";
import type { Benchmark, BenchmarkOptions, BenchmarkResult } from "./benchmark.ts";
import { CHROMIUM, QUIET } from "./home-route.ts";
import type { HeldOrder } from "./own-checks-page.ts";
import { median, quantile, spread } from "./pairs.ts";

const PAGE = join(import.meta.dirname, "own-checks-page.ts");
const SLOWDOWN = 4;
const MEMBERS = 4;

/** Measures the app's own code as it checks a running house's responses, in Chromium slowed four times. */
export const ownChecks: Benchmark = { name: "own-checks", run };

async function run({ quick, pairs }: BenchmarkOptions): Promise<BenchmarkResult> {
  if (!existsSync(CHROMIUM)) throw new Error(`The checks run in a browser at ${CHROMIUM}: apt-get install chromium`);
  const count = quick ? 20 : 200;
  const script = await bundle();
  const house = await openSealedHouse(MEMBERS);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
  try {
    const held = await holdOrders(house, count);
    const rounds: number[][] = [];
    for (let round = 0; round < pairs; round += 1) {
      const page = await browser.newPage();
      await slow(page);
      await page.addScriptTag({ content: script });
      const keys = formatPolicy(house.policy).join("\n");
      const check = () =>
        page.evaluate(([text, orders]) => globalThis.checkOrders(text, orders), [keys, held] as const);
      // The first run compiles the code, as in an app that has already placed an order.
      await check();
      rounds.push(await check());
      await page.close();
    }
    const medians = rounds.map((round) => median(round));
    return {
      settings: { orders: count, slowdown: SLOWDOWN, rounds: rounds.length },
      figures: [
        {
          name: "the app's checks of an answer, processor slowed four times",
          value: median(medians),
          unit: "ms",
          atMost: 5,
          baseline: `p95 ${quantile(rounds.flat(), 0.95).toFixed(2)} ms`,
          noise: spread(medians),
        },
      ],
    };
  } finally {
    await browser.close();
    await house.close();
  }
}

async function slow(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
}

async function bundle(): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: "error",
    build: { write: false, lib: { entry: PAGE, formats: ["iife"], name: "ownChecks" } },
  })) as readonly Rolldown.RolldownOutput[] | Rolldown.RolldownOutput;
  const [output] = "output" in built ? [built] : built;
  const chunk = output?.output.find((each) => each.type === "chunk");
  if (chunk?.type !== "chunk") throw new Error("nothing was bundled");
  return chunk.code;
}

async function holdOrders(house: SealedHouse, count: number): Promise<HeldOrder[]> {
  const held: HeldOrder[] = [];
  for (let made = 0; made < count; made += 1) {
    const device = house.devices[made % house.devices.length];
    if (device === undefined) throw new Error("the house has no member");
    const kept = await placeSealed(device, house.terms, house.heads.newest());
    const { answer, wish } = kept;
    if (answer.kind !== "accepted" || answer.acceptance === null) throw new Error("an order was not accepted");
    await reveal(device, kept);
    const { orderNo, configVersion } = answer.order;
    const asked = plain({ member: device.member, wishes: [wish] });
    held.push({ asked, order: { orderNo, configVersion }, acceptance: answer.acceptance });
  }
  return held;
}

/** Encodes a value as JSON that `own-checks-page.ts` can read back. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return { n: value.toString() };
  if (value instanceof Uint8Array) return { b: toHex(value) };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
}
