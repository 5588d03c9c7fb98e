/** A process that a test lets die: `node crash-child.ts <database> <crash point> <session> <deposit>` credits a remittance. */
import { createIdSource, type MicroUsd } from "@fairtick/domain";
import { systemClock } from "../../platform/clock.ts";
import { openDatabases } from "../../platform/context.ts";
import { armCrashPoint, crashPoint } from "../../platform/crash-point.ts";
import { createLog } from "../../platform/log.ts";
import type { OperatorSession } from "../../platform/console/index.ts";
import { creditDeposit } from "./decide-deposit.ts";

const [url = "", point = "", sessionId = "", depositNo = ""] = process.argv.slice(2);
const databases = openDatabases(url, createLog("crash-child", "silent"));
const ids = createIdSource({ node: 1 + (process.pid % 800), clock: systemClock });
const session = { sessionId: BigInt(sessionId), operatorId: 1n } as OperatorSession;
armCrashPoint(point);
const credited = await databases.console.transaction((db) =>
  creditDeposit({ ids }, db, session, { depositNo, amount: 100_000_000n as MicroUsd }, systemClock.now()),
);
crashPoint("bank.credited");
process.stdout.write(credited.ok ? "credited" : credited.refusal.error);
process.exit(0);
