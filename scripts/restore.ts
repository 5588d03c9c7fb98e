import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { PostgresProblem, restoreServer } from "@fairtick/postgres";
import { copyDataFolder, DATABASE_FOLDER, dataDirOf } from "./backup/data-folder.ts";
import { COMPLETE } from "./backup/make-backup.ts";

// `DATA_DIR=<empty folder> npm run restore -- --from <backup>`: restores a backup so that `npm start` continues from
// it.

const { values } = parseArgs({ options: { from: { type: "string" } } });
if (values.from === undefined) fail("Say where from: npm run restore -- --from /path/of/the/backup");
const source = resolve(values.from);
if (!existsSync(join(source, COMPLETE))) fail(`${source} is no complete backup: ${COMPLETE} is missing.`);
const dataDir = dataDirOf(process.env);
if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
  fail(`${dataDir} is not empty. Name an empty or new folder in DATA_DIR.`);
}
try {
  mkdirSync(dataDir, { recursive: true });
  await restoreServer(join(source, "database"), join(dataDir, DATABASE_FOLDER), (sentence) => console.log(sentence));
  await copyDataFolder(join(source, "data"), dataDir, () => true);
  console.log(`The backup is restored into ${dataDir}. Start the product with the same DATA_DIR.`);
} catch (error) {
  if (error instanceof PostgresProblem) fail(error.message);
  throw error;
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
