/**
 * A process that a test lets die: `node crash-child.ts <database> <crash point> <node> <token> <signer> <secret>` pays
 * until nothing is under way, mining a block after each round. With `tron` as token it waits for the node's own blocks.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createIdSource, type MicroUsd } from "@fairtick/domain";
import { callNode } from "@fairtick/test-chain";
import { createLocalBus } from "../../platform/bus.ts";
import { systemClock } from "../../platform/clock.ts";
import { openDatabases } from "../../platform/context.ts";
import { armCrashPoint } from "../../platform/crash-point.ts";
import { createLog } from "../../platform/log.ts";
import { chainSettings, tronSettings } from "../chain/test-settings.ts";
import { newPayoutMemory } from "./payout-parts.ts";
import { payoutRound } from "./payout-round.ts";
import { sweepRound } from "./sweep-round.ts";
import { openSignerDoor } from "./signer-door.ts";
import { payoutParts } from "./start-payouts.ts";

const ROUNDS_MAX = 12;

const [url = "", point = "", node = "", token = "", signer = "", secret = "", sweepAbove = ""] = process.argv.slice(2);
const log = createLog("crash-child", "silent");
const context = {
  databases: openDatabases(url, log),
  log,
  bus: createLocalBus(() => undefined),
  clock: systemClock,
  // A node number of its own for each life, as the database gives it to a server.
  ids: createIdSource({ node: 1 + (process.pid % 800), clock: systemClock }),
  signer: openSignerDoor({ url: signer, secret }),
};
const isTron = token === "tron";
const parts = payoutParts(
  context,
  isTron
    ? tronSettings(node)
    : chainSettings(node, token, { sweepAbove: sweepAbove === "" ? null : (BigInt(sweepAbove) as MicroUsd) }),
);
const memory = newPayoutMemory();
armCrashPoint(point);
for (let round = 0; round < ROUNDS_MAX; round += 1) {
  await payoutRound(parts, memory);
  await sweepRound(parts);
  if (isTron) await sleep(300);
  else await callNode(node, "anvil_mine", ["0x1"]);
  const open = await context.databases.payout.query(
    "SELECT 1 FROM withdrawals WHERE end_id IS NULL AND stage NOT IN ('review', 'needs_review')",
  );
  if (open.length === 0 && sweepAbove === "") break;
  // What was handed over before a kill is handed over again after ten seconds; a test does not wait for them.
  memory.sentAt.clear();
}
process.exit(0);
