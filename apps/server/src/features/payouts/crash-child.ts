/**
 * A child process that the TRON tests kill: `node crash-child.ts <database> <crash point> <node> <signer> <secret>`. It runs
 * rounds of paying until no payment is in progress, while the node makes its own blocks.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createIdSource } from "@fairtick/domain";
import { createLocalBus } from "../../platform/bus.ts";
import { systemClock } from "../../platform/clock.ts";
import { openDatabases } from "../../platform/context.ts";
import { armCrashPoint } from "../../platform/crash-point.ts";
import { createLog } from "../../platform/log.ts";
import { tronSettings } from "../chain/test-settings.ts";
import { newPayoutMemory } from "./payout-parts.ts";
import { payoutRound } from "./payout-round.ts";
import { openSignerDoor } from "../signer/signer-door.ts";
import { payoutParts } from "./start-payouts.ts";

const ROUNDS_MAX = 12;

const [url = "", point = "", node = "", signer = "", secret = ""] = process.argv.slice(2);
const log = createLog("crash-child", "silent");
const context = {
  databases: openDatabases(url, log),
  log,
  bus: createLocalBus(() => undefined),
  clock: systemClock,
  // Each process needs its own node number. A server gets one from the database.
  ids: createIdSource({ node: 1 + (process.pid % 800), clock: systemClock }),
  signer: openSignerDoor({ url: signer, secret }),
};
const parts = payoutParts(context, tronSettings(node));
const memory = newPayoutMemory();
armCrashPoint(point);
for (let round = 0; round < ROUNDS_MAX; round += 1) {
  await payoutRound(parts, memory);
  await sleep(300);
  const open = await context.databases.payout.query(
    "SELECT 1 FROM withdrawals WHERE end_id IS NULL AND stage NOT IN ('review', 'needs_review')",
  );
  if (open.length === 0) break;
  // A transaction that was sent before the kill is sent again only after ten seconds. Forgetting it saves the test that wait.
  memory.sentAt.clear();
}
process.exit(0);
