// Runs on any Node ≥ 20: finds a Node ≥ 24 and hands the script to it.
import { spawnSync } from "node:child_process";

const [script, ...rest] = process.argv.slice(2);
const result = spawnSync(process.execPath, [script, ...rest], { stdio: "inherit" });
process.exit(result.status ?? 1);
