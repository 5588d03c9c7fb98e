import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { PostgresProblem } from "@fairtick/postgres";
import { makeBackup } from "./backup/make-backup.ts";
import { dataDirOf } from "./backup/data-folder.ts";

// `npm run backup -- --to <folder>`: copies the running product's database and data folder without stopping it.

const { values } = parseArgs({ options: { to: { type: "string" } } });
if (values.to === undefined) fail("Say where to: npm run backup -- --to /path/of/a/new/folder");
const target = resolve(values.to);
if (existsSync(target) && readdirSync(target).length > 0) fail(`${target} is not empty. Name a new folder.`);
if (process.env["DATABASE_URL"]) {
  fail("DATABASE_URL names a PostgreSQL of your own. See docs/operations.md for the order in which to back it up.");
}
try {
  const { committedBefore } = await makeBackup(dataDirOf(process.env), target);
  console.log(`The backup is in ${target}. It holds everything confirmed before ${committedBefore.toISOString()}.`);
} catch (error) {
  if (error instanceof PostgresProblem) fail(error.message);
  throw error;
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
