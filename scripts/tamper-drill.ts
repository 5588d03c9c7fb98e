/** Bends a running product in every way its operator could, and writes down who noticed: docs/tamper-drill.md. */
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

// `--only seed,batch` tries those alone; the page keeps what the others came to when they were tried last.
// `--part sealed` tries the attacks on sealed orders alone, `--part open` all others.
// `--orders 2000`: by how many orders each attack is measured that chooses among them.
// `--age 60` waits with the rollbacks until what they go back to is so many minutes old.
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

/** Tries every step that is asked for; one that breaks ends the part, and what was tried before is kept. */
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
