/** Runs the export in a process that a test kills: `node export-child.ts <now>`, with the usual settings. */
import type { Instant } from "@fairtick/domain";
import { publicLogFolder, readConfig } from "../../platform/config.ts";
import { closeDatabases, openDatabases } from "../../platform/context.ts";
import { armCrashPoint } from "../../platform/crash-point.ts";
import { createLog } from "../../platform/log.ts";
import { openLogFiles } from "../log/index.ts";
import { exportOldTicks } from "./index.ts";

const config = readConfig(process.env);
const log = createLog("export-child", config.logLevel);
const databases = openDatabases(config.databaseUrl, log);
armCrashPoint(config.crashAt);
const files = await openLogFiles(publicLogFolder(config));
const days = await exportOldTicks({ databases, log }, files, BigInt(process.argv[2] ?? 0) as Instant);
process.stdout.write(days.join());
await closeDatabases(databases);
