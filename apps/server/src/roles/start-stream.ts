import type { Server } from "node:http";
import { readAlerts } from "../features/alerts/index.ts";
import { readDeposits } from "../features/deposits/index.ts";
import { readIdentity } from "../features/identity/index.ts";
import { readSummaries } from "../features/ledger/index.ts";
import { watchInstruments } from "../features/market/index.ts";
import { readFreshNotices, readGoneAnnouncements } from "../features/notices/index.ts";
import { readOrders } from "../features/orders/index.ts";
import type { Authenticator } from "../features/sessions/index.ts";
import { attachStream, readRunningOrderIds, startCatchUp } from "../features/stream/index.ts";
import { readSupportMessage } from "../features/support/index.ts";
import { readWithdrawals } from "../features/withdrawals/index.ts";
import { createDeviceKeys } from "../platform/http/index.ts";
import type { SecurityWatch } from "../platform/security-events.ts";
import type { Parts } from "./parts.ts";

/** Starts pushing prices and members' own updates over WebSockets of `server`. Returns a function that ends it. */
export function startStreamRole(
  { process: process_, configs }: Parts,
  server: Server,
  { authenticator, security }: { readonly authenticator: Authenticator; readonly security: SecurityWatch },
): { close(): Promise<void> } {
  const { config, clock, bus, log, databases, shutdown } = process_;
  const reading = { databases, configs };
  const deviceKeys = createDeviceKeys(config.secret, "member", () => config.publicUrl);
  const stream = attachStream(server, {
    clock,
    bus,
    log,
    security,
    publicUrl: config.publicUrl,
    allowedHosts: config.allowedHosts,
    authenticate: (token, from) => authenticator.authenticate(token, from),
    deviceKeyOf: (request) => deviceKeys.read(request),
    decimalsOf: (symbol) => configs.findInstrument(symbol)?.decimals,
    members: {
      readOrders: (memberIds, orderIds) => readOrders(reading, memberIds, orderIds),
      readRunningOrderIds: (memberId, since) => readRunningOrderIds(process_, memberId, since),
      readSummaries: (memberId) => readSummaries(process_, memberId, clock.now()),
    },
    instruments: watchInstruments(process_, configs),
    readIdentity: (memberId) => readIdentity(process_, memberId),
    readDeposits: (memberIds, depositIds) => readDeposits(process_, memberIds, depositIds, clock.now()),
    readWithdrawals: (memberIds, withdrawalIds) => readWithdrawals(process_, memberIds, withdrawalIds),
    readSupportMessage: (memberId, messageId) => readSupportMessage(process_, memberId, messageId),
    readAlerts: (memberIds, alertIds) => readAlerts(reading, memberIds, alertIds),
    notices: {
      readFresh: (memberIds) => readFreshNotices(process_, memberIds),
      readGone: () => readGoneAnnouncements(process_),
    },
    trustedProxies: config.trustedProxies,
    rateLimitFactor: config.rateLimitFactor,
  });
  if (config.natsUrl !== null) {
    const catchUp = startCatchUp(process_);
    shutdown.add("catching up", () => catchUp.stop());
  }
  return stream;
}
