import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";

// `npm run torture:markets`: three markets on one database that goes away again and again, 50 times where OUTAGES names no
// other number, and two of which one is paused. The tests' large form: it holds returns and takeovers against the goal, so
// nothing else should run beside it.

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
