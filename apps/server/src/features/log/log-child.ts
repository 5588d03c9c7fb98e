/**
 * Runs the log's writer as a process that a test can kill: `node log-child.ts`, with the usual settings. Prints "ready" once it
 * publishes.
 */
import { systemClock } from "../../platform/clock.ts";
import { readConfig } from "../../platform/config.ts";
import { openDatabases } from "../../platform/context.ts";
import { armCrashPoint } from "../../platform/crash-point.ts";
import { createLog } from "../../platform/log.ts";
import { startLog } from "./start-log.ts";

const config = readConfig(process.env);
const log = createLog("log-child", config.logLevel);
armCrashPoint(config.crashAt);
let told = false;
await startLog({ config, log, clock: systemClock, databases: openDatabases(config.databaseUrl, log) }, (reason) => {
  if (reason !== undefined) process.stdout.write(`${reason}\n`);
  else if (!told) process.stdout.write("ready\n");
  told ||= reason === undefined;
});
