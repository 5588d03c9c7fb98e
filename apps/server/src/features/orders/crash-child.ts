/**
 * Runs in a process that a test kills at a crash point: `node crash-child.ts <database> <crash point> place|settle
 * <member> <client id>…`. It writes the order number of each acknowledged order, one on each line.
 */
import { createAcceptanceSwitch } from "./acceptance-switch.ts";
import { systemClock } from "../../platform/clock.ts";
import { createLocalBus } from "../../platform/bus.ts";
import { openDatabases } from "../../platform/context.ts";
import { armCrashPoint } from "../../platform/crash-point.ts";
import { createLog } from "../../platform/log.ts";
import type { ClientId, MemberId, MicroUsd } from "@fairtick/domain";
import { openRegionBook } from "../regions/index.ts";
import { startSettlement } from "../settlement/index.ts";
import { openTradingConfigs } from "../trading-config/index.ts";
import { openAcceptance } from "./open-acceptance.ts";
import { openDeviceKeys } from "../order-devices/index.ts";
import { placeOrder } from "./place-order.ts";

const [url = "", point = "", job, member = "0", ...clientIds] = process.argv.slice(2);
const log = createLog("crash-child", "silent");
const bus = createLocalBus(() => undefined);
const context = { databases: openDatabases(url, log), log, bus, clock: systemClock };
const configs = await openTradingConfigs(context);
if (job === "settle") {
  armCrashPoint(point);
  const { settlement } = context.databases;
  await startSettlement({ database: settlement, bus, log, configs, firstStripe: 60, batchOrders: 3 }).settleNow();
} else {
  const acceptance = createAcceptanceSwitch();
  const { collector } = await openAcceptance(context, { configs, acceptance, regions: openRegionBook(context) });
  armCrashPoint(point);
  const placing = {
    databases: context.databases,
    configs,
    collector,
    bus,
    devices: openDeviceKeys(context.databases.reader),
  };
  await Promise.all(
    clientIds.map(async (clientOrderId) => {
      const verdict = await placeOrder(placing, BigInt(member) as MemberId, {
        wallet: "practice",
        symbol: "EURUSD",
        direction: "up",
        stake: 10_000_000n as MicroUsd,
        duration: 30,
        clientOrderId: clientOrderId as ClientId,
      });
      process.stdout.write(`${verdict.ok ? verdict.value.orderNo : verdict.refusal.error}\n`);
    }),
  );
}
process.exit(0);
