/**
 * A process that a test lets die: `node crash-child.ts <database> <crash point> <node> <token>` reads the chain until
 * there is nothing new.
 */
import { createIdSource } from "@fairtick/domain";
import { createLocalBus } from "../../platform/bus.ts";
import { systemClock } from "../../platform/clock.ts";
import { openDatabases } from "../../platform/context.ts";
import { armCrashPoint } from "../../platform/crash-point.ts";
import { createLog } from "../../platform/log.ts";
import { watchParts } from "./start-watchers.ts";
import { chainSettings } from "./test-settings.ts";
import { newMemory, watchRound } from "./watch-round.ts";

const [url = "", point = "", node = "", token = ""] = process.argv.slice(2);
const log = createLog("crash-child", "silent");
// A node number of its own for each life, as the database gives it to a server.
const ids = createIdSource({ node: 1 + (process.pid % 800), clock: systemClock });
const context = {
  databases: openDatabases(url, log),
  log,
  bus: createLocalBus(() => undefined),
  clock: systemClock,
  ids,
};
const parts = watchParts(context, chainSettings(node, token));
const memory = newMemory();
armCrashPoint(point);
while (await watchRound(parts, memory));
process.exit(0);
