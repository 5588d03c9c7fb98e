import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const HERE = import.meta.dirname;
const FEATURES = join(HERE, "../../features");
/** Features through which money comes in and goes out. */
const MONEY = [
  "chain",
  "corrections",
  "deposit-desk",
  "deposits",
  "payouts",
  "signer",
  "sweeps",
  "withdrawal-desk",
  "withdrawals",
];
const STEPS = ["gas", "collect"];

function sources(folder: string): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  return files.map((name) => readFileSync(join(folder, name), "utf8"));
}

/** Returns the names of the crash points in the source text. */
function pointsOf(text: string): string[] {
  return [...text.matchAll(/crashPoint\(["`]([^"`]+)["`]\)/g)].flatMap(([, name = ""]) =>
    name.includes("${step}") ? STEPS.map((step) => name.replace("${step}", step)) : [name],
  );
}

it("a test kills the process at each point between two steps of a credit or a payment", () => {
  const points = new Set(MONEY.flatMap((feature) => sources(join(FEATURES, feature)).flatMap(pointsOf)));
  expect(points.size).toBeGreaterThan(70);
  const files = ["credit.test.ts", "payout.test.ts", "../../features/payouts/payouts-tron.test.ts"];
  const tests = files.map((name) => readFileSync(join(HERE, name), "utf8")).join("\n");
  const isKilled = (point: string) => {
    const [, step = "", last = ""] = /^sweep\.(gas|collect)\.([a-z]+)$/.exec(point) ?? [];
    const byStep = step !== "" && tests.includes("sweep.${step}.${point}") && tests.includes(`"${last}"`);
    return byStep || tests.includes(`"${point}"`) || tests.includes(`"${point}:`);
  };
  expect([...points].filter((point) => !isKilled(point))).toEqual([]);
});
