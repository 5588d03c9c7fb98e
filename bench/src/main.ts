import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Benchmark } from "./benchmark.ts";

import { chartFrames } from "./chart-frames.ts";
import { fanOut } from "./fan-out.ts";
import { homeRoute } from "./home-route.ts";
import { httpPlacement } from "./http-placement.ts";
import { idleSockets } from "./idle-sockets.ts";
import { loginFlood } from "./login-flood.ts";
import { machineFacts } from "./machine.ts";
import { ownChecks } from "./own-checks.ts";
import { placement } from "./placement.ts";
import { pricesOnScreen } from "./prices-on-screen.ts";
import { publicLog } from "./public-log.ts";
import { sealedHttp } from "./sealed-http.ts";
import { sealedLife } from "./sealed-life.ts";
import { sealedPlacement } from "./sealed-placement.ts";
import { serverStart } from "./server-start.ts";
import { settlement } from "./settlement.ts";
import { tradeScreen } from "./trade-screen.ts";
import { sealedVerifier, verifier } from "./verifier.ts";
import { type Figure, printFigures, writeResults } from "./report.ts";

const BENCHMARKS: readonly Benchmark[] = [
  placement,
  sealedPlacement,
  sealedLife,
  httpPlacement,
  sealedHttp,
  ownChecks,
  settlement,
  fanOut,
  homeRoute,
  pricesOnScreen,
  chartFrames,
  tradeScreen,
  serverStart,
  verifier,
  sealedVerifier,
  publicLog,
  loginFlood,
  idleSockets,
];
const RESULTS = resolve(import.meta.dirname, "../results.json");

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    quick: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const names = BENCHMARKS.map(({ name }) => name);
const unknown = (values.only ?? []).filter((name) => !names.includes(name));
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`There is no benchmark ${unknown.join(", ")}.`);
  console.log(`npm run bench -- [--quick] [--only <name>]…   names: ${names.join(", ")}`);
  process.exit(unknown.length > 0 ? 2 : 0);
}

const chosen = BENCHMARKS.filter(({ name }) => values.only === undefined || values.only.includes(name));
const machine = machineFacts();
const figures: Figure[] = [];
const settings: Record<string, unknown> = { machine, quick: values.quick };
const failed: string[] = [];
console.log(JSON.stringify(machine));
for (const { name, run } of chosen) {
  console.log(`\n${name}`);
  try {
    const say = (line: string) => console.log(`  · ${line}`);
    const result = await run({ quick: values.quick, pairs: values.quick ? 2 : 5, say });
    settings[name] = result.settings ?? {};
    figures.push(...result.figures);
    printFigures(result.figures);
  } catch (error) {
    failed.push(name);
    console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}
await writeResults(RESULTS, settings, figures);
console.log(`\nAll figures${chosen.length < BENCHMARKS.length ? " of this run" : ""}:`);
printFigures(figures);
console.log(`\nKept in ${RESULTS}.`);
if (failed.length > 0) {
  // A missed goal is still a figure, but a benchmark that couldn't run has none.
  console.error(`Could not be measured: ${failed.join(", ")}.`);
  process.exitCode = 1;
}
