import { startAlertWatch, readAlerts } from "../features/alerts/index.ts";
import { startClosings } from "../features/closing/index.ts";
import { startExpiring } from "../features/deposits/index.ts";
import { startCounting } from "../features/fairness/index.ts";
import { startExpiryWatch } from "../features/identity/index.ts";
import { startReferrals } from "../features/invites/index.ts";
import { startLiabilities } from "../features/liabilities/index.ts";
import { startCandleJob } from "../features/market/index.ts";
import { readMessageTitles } from "../features/notices/index.ts";
import { readOrders } from "../features/orders/index.ts";
import { openPushAgent, openVapidKeys, startPush } from "../features/push/index.ts";
import { type SessionContext, startSweeping } from "../features/sessions/index.ts";
import type { Process } from "../platform/context.ts";
import type { Parts } from "./parts.ts";

/** Background work of a feature. It is idempotent, so that several processes can do it at once. */
type Job = (context: Process & SessionContext) => { stop(): Promise<void> | void };

/** All jobs, one line each. The log names a job that doesn't stop. */
const JOBS: Readonly<Record<string, Job>> = {
  candles: startCandleJob,
  "fairness counts": startCounting,
  sweeping: startSweeping,
  closings: startClosings,
  remittances: startExpiring,
  referrals: startReferrals,
  "expiry of documents": startExpiryWatch,
  liabilities: startLiabilities,
  alerts: startAlertWatch,
};

/** Starts every job and the push messages to browsers. */
export async function startJobsRole(parts: Parts): Promise<void> {
  const { process: process_, configs, members } = parts;
  const { config, databases, shutdown } = process_;
  const { context } = await members();
  for (const [name, start] of Object.entries(JOBS)) {
    const job = start(context);
    shutdown.add(name, () => job.stop());
  }
  const reading = { databases, configs };
  const push = startPush(process_, {
    keys: openVapidKeys(config.dataDir),
    agent: openPushAgent(),
    nameOf: (symbol) => configs.findInstrument(symbol)?.name ?? symbol,
    readAlerts: (memberIds, alertIds) => readAlerts(reading, memberIds, alertIds),
    readOrders: (memberIds, orderIds) => readOrders(reading, memberIds, orderIds),
    readWarnings: (messageIds) => readMessageTitles(process_, messageIds),
  });
  shutdown.add("push", () => push.stop());
}
