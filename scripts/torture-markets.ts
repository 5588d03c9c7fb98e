import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";

// `npm run torture:markets`: three markets on one database that becomes unavailable again and again (50 times unless
// OUTAGES is set), and two markets of which one is paused. This is the tests' large form: it compares recoveries and
// takeovers with the goal, so nothing else should run beside it.

const PROJECT = resolve(import.meta.dirname, "..");
const { status } = spawnSync(
  process.execPath,
  [
    join(PROJECT, "node_modules/vitest/vitest.mjs"),
    "run",
    "--no-file-parallelism",
    "apps/server/src/features/market/market-outages.test.ts",
    "apps/server/src/features/market/two-markets.test.ts",
  ],
  { cwd: PROJECT, env: { ...process.env, OUTAGES: process.env["OUTAGES"] ?? "50" }, stdio: "inherit" },
);
process.exitCode = status ?? 1;
