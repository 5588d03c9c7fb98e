/** Attacks a running product in every way its operator could, and records who noticed: docs/tamper-drill.md. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { keepStep, readKeptRuns, writeKeptRuns } from "./tamper-drill/kept-runs.ts";
import { NOTICED_MS_MAX } from "./tamper-drill/attack.ts";
import { openOpenDrill } from "./tamper-drill/open-drill.ts";
import { writeReport } from "./tamper-drill/report.ts";
import { openSealedDrill } from "./tamper-drill/sealed/sealed-drill.ts";

const REPORT = resolve(import.meta.dirname, "../docs/tamper-drill.md");
const RUNS = resolve(import.meta.dirname, "../docs/tamper-drill.json");

// `--only seed,batch` runs only those; the page keeps the latest results of the others.
// `--part sealed` runs only the attacks on sealed orders, `--part open` all others.
// `--orders 2000`: number of orders by which each attack that chooses orders is measured.
// `--age 60` delays the rollbacks until the copied state is that many minutes old.
// `--dry` writes nothing.
const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    part: { type: "string", default: "open,sealed" },
    orders: { type: "string", default: "2000" },
    age: { type: "string", default: "0" },
    dry: { type: "boolean", default: false },
  },
});
const only = values.only.split(",").filter((name) => name !== "");
const parts = values.part.split(",");
const isAsked = (name: string) => only.length === 0 || only.includes(name);

interface Drill<Of> {
  readonly names: readonly string[];
  run(name: string): Promise<readonly Of[]>;
  close(): Promise<void>;
}

/** Runs every requested step. One that throws ends the part, but earlier results are kept. */
async function tryPart<Of extends { readonly what: string }>(
  part: "open" | "sealed",
  open: () => Promise<Drill<Of>>,
): Promise<void> {
  if (!parts.includes(part)) return;
  const drill = await open();
  try {
    for (const name of drill.names.filter(isAsked)) {
      const step = await keepStep(() => drill.run(name));
      for (const result of step.results) console.log(`${name}: ${JSON.stringify(result)}`);
      const kept = readKeptRuns(RUNS);
      if (!values.dry) writeKeptRuns(RUNS, { ...kept, [part]: { ...kept[part], [name]: step } });
    }
  } finally {
    await drill.close();
  }
}

try {
  await tryPart("sealed", () => openSealedDrill(Number(values.orders)));
  await tryPart("open", () => openOpenDrill(Number(values.age), only.length === 0, isAsked));
} finally {
  if (!values.dry) writeFileSync(REPORT, writeReport(readKeptRuns(RUNS)));
}
const missed = Object.values(readKeptRuns(RUNS).open)
  .flatMap(({ results }) => results)
  .filter(({ seconds }) => seconds === null || seconds > NOTICED_MS_MAX / 1000);
if (missed.length > 0) process.exitCode = 1;
