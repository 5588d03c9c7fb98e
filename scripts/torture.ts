import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { runTorture } from "./torture/run-torture.ts";

// `npm run torture`: tests how the product copes when its parts are killed at random moments under load.

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "1000" },
    "database-kills": { type: "string", default: "300" },
    seed: { type: "string", default: randomUUID() },
  },
});
const { seed } = values;
const [kills, databaseKills] = [Number(values.kills), Number(values["database-kills"])];
if (![kills, databaseKills].every((count) => Number.isSafeInteger(count) && count >= 0)) {
  console.error("--kills and --database-kills must be whole numbers.");
  process.exit(2);
}
console.log(`Seed ${seed}: repeat the same kills and pauses with --seed ${seed}.`);
const report = await runTorture({ kills, databaseKills, seed, say: (sentence) => console.log(sentence) });
console.log(`${report.acknowledged} orders acknowledged, ${report.settled} settled, ${report.voided} of them voided.`);
for (const [name, count] of report.refusals) console.log(`Refused: ${name}, ${count} times.`);
console.log(`The longest wait for a settlement, outages not counted: ${report.latestMs} ms.`);
for (const fault of report.faults) console.log(`FAULT ${fault}`);
console.log(report.faults.length === 0 ? "No faults." : `${report.faults.length} faults.`);
process.exitCode = report.faults.length === 0 ? 0 : 1;
