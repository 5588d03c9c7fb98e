import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Instant } from "@fairtick/domain";
import { runningUrl } from "@fairtick/postgres";
import { readConfig } from "@fairtick/server";
import { clearOperatorTries } from "@fairtick/server/features/operators";
import { openDatabase } from "@fairtick/server/platform/database";

// `npm run clear-operator-tries -- --login finance-1 --reason "..."`: ends an operator's wait caused by others'
// guesses.

const { values } = parseArgs({ options: { login: { type: "string" }, reason: { type: "string" } } });
if (values.login === undefined || (values.reason ?? "").trim() === "") {
  console.error(
    'Say whose and why: npm run clear-operator-tries -- --login finance-1 --reason "Attack on their login".',
  );
  process.exit(2);
}
const { DATABASE_URL: given = "" } = process.env;
const { dataDir } = readConfig({ ...process.env, DATABASE_URL: given || "postgres://127.0.0.1/embedded" });
const url = given || runningUrl(join(dataDir, "postgres"));
if (url === null) {
  console.error(`No database runs in ${dataDir}. Start the product, or name its folder in DATA_DIR.`);
  process.exit(1);
}
const database = openDatabase({ url, role: "console", max: 1 });
try {
  const by = `${userInfo().username}@${hostname()}`;
  const now = BigInt(Date.now()) as Instant;
  const done = await clearOperatorTries(database, { login: values.login, reason: values.reason ?? "", by, now });
  console.log(
    done
      ? `${values.login} can log in at once. The audit trail says who did this and why.`
      : `Nobody who may log in is called ${values.login}.`,
  );
  process.exitCode = done ? 0 : 1;
} finally {
  await database.end();
}
