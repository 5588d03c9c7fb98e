import { resolve } from "node:path";
import { readAlerts, startAlertWatch } from "../features/alerts/index.ts";
import { refuseOtherDecimals, startChainWatchers } from "../features/chain/index.ts";
import { startClosings } from "../features/closing/index.ts";
import { createAddressMaker, readDeposits, seedReceivingCards, startExpiring } from "../features/deposits/index.ts";
import { addFairnessPages, openFairness, startCounting } from "../features/fairness/index.ts";
import { addFaucetRoutes } from "../features/faucet/index.ts";
import { startFileStore } from "../features/files/index.ts";
import { readIdentity, startExpiryWatch } from "../features/identity/index.ts";
import { addInboxRoutes, openMessenger, SEEDED_ACCOUNTS, seedAccounts } from "../features/inbox/index.ts";
import { seedReferralRate, startReferrals } from "../features/invites/index.ts";
import { readSummaries, seedHouseCapital, watchInvariants } from "../features/ledger/index.ts";
import { liabilityRoutes, startLiabilities } from "../features/liabilities/index.ts";
import { addLogPages, registerKey, startLog, watchLog } from "../features/log/index.ts";
import { startCandleJob, startMarketWatch, watchInstruments } from "../features/market/index.ts";
import { startPriceExport } from "../features/price-archive/index.ts";
import { readFreshNotices, readGoneAnnouncements } from "../features/notices/index.ts";
import { createAcceptanceSwitch, openAcceptance, readOrders } from "../features/orders/index.ts";
import { receiptRoutes } from "../features/receipts/index.ts";
import { openPushAgent, openVapidKeys, startPush } from "../features/push/index.ts";
import { openRegionBook, seedRegions } from "../features/regions/index.ts";
import { createAuthenticator, openIds, startSweeping } from "../features/sessions/index.ts";
import { startSettlement } from "../features/settlement/index.ts";
import { readSupportMessage } from "../features/support/index.ts";
import { attachStream, readRunningOrderIds, startCatchUp } from "../features/stream/index.ts";
import { sandboxOperators } from "../features/operators/index.ts";
import { openTradingConfigs, seedTradingConfig } from "../features/trading-config/index.ts";
import { openSignerDoor, readWithdrawals, seedWithdrawalTerms, startPayouts } from "../features/withdrawals/index.ts";
import type { Process } from "../platform/context.ts";
import type { Started } from "../platform/family.ts";
import { createHttpServer } from "../platform/http/index.ts";
import { holdServerKeys, openBatchSigner } from "./hold-server-keys.ts";
import { serverRoutes } from "./server-routes.ts";
import { startConsole } from "./start-console.ts";
import { watchHealth } from "./watch-health.ts";

const MEMBER_APP = resolve(import.meta.dirname, "../../../member/dist");

/** Starts everything but the market: calls, stream, settlement, jobs. What is added to `shutdown` last closes first. */
export async function startServerRole(process_: Process): Promise<Started> {
  const { config, log, clock, bus, databases, health, shutdown } = process_;
  await refuseOtherDecimals(config.chains, log);
  await holdServerKeys(process_);
  await seedTradingConfig(process_);
  await seedRegions(process_);
  await seedWithdrawalTerms(process_);
  const publicLog = await startLog(process_, (reason) => {
    health.set("log", reason);
  });
  shutdown.add("public log", () => publicLog.stop());
  await seedHouseCapital(process_);
  await seedReceivingCards(process_);
  await seedReferralRate(process_);
  const configs = await openTradingConfigs(process_);
  shutdown.add("trading configurations", () => configs.close());

  const acceptance = createAcceptanceSwitch(clock);
  const acceptanceKey = openBatchSigner(config, publicLog.origin);
  await registerKey(databases.log, "acceptance", acceptanceKey.verifier);
  const regions = openRegionBook(process_);
  const orders = await openAcceptance(process_, { configs, acceptance, regions, signer: acceptanceKey });
  const settlement = startSettlement({
    database: databases.settlement,
    bus,
    log,
    configs,
    firstStripe: orders.settlementStripe,
    onTrouble: (reason) => {
      health.set("settlement", reason);
    },
  });
  shutdown.add("settlement", () => settlement.close());
  shutdown.add("acceptance", () => orders.close());
  const invariants = watchInvariants(process_, { acceptance });
  shutdown.add("invariants", () => invariants.close());
  const candles = startCandleJob(process_);
  shutdown.add("candles", () => candles.stop());
  const counting = startCounting(process_);
  shutdown.add("fairness counts", () => counting.stop());
  const filing = startPriceExport(process_, publicLog.files);
  shutdown.add("price files", () => filing.stop());
  const marketWatch = startMarketWatch(process_, acceptance);
  shutdown.add("market watch", () => marketWatch.stop());
  const logWatch = watchLog(process_, acceptance);
  shutdown.add("log watch", () => logWatch.stop());

  const mail = await openMessenger(process_);
  shutdown.add("messenger", () => mail.close());
  const members = { ...process_, ids: await openIds(process_), messenger: mail.messenger };
  const authenticator = createAuthenticator(process_);
  shutdown.add("authenticator", () => authenticator.close());
  const sweeping = startSweeping(process_);
  shutdown.add("sweeping", () => sweeping.stop());
  const closings = startClosings(members);
  shutdown.add("closings", () => closings.stop());
  const expiring = startExpiring(process_);
  shutdown.add("remittances", () => expiring.stop());
  const referrals = startReferrals(members);
  shutdown.add("referrals", () => referrals.stop());
  const expiry = startExpiryWatch(process_);
  shutdown.add("expiry of documents", () => expiry.stop());
  const liabilities = startLiabilities(process_);
  shutdown.add("liabilities", () => liabilities.stop());
  const alerts = startAlertWatch(process_);
  shutdown.add("alerts", () => alerts.stop());

  const files = await startFileStore(process_, members.ids);
  shutdown.add("files", () => files.stop());

  const addresses = createAddressMaker({ evm: config.depositXpub, tron: config.depositTronXpub });
  const chains = startChainWatchers({
    ...process_,
    ids: members.ids,
    onChainTrouble: (chain, cause) => health.set(`chain ${chain}`, cause),
  });
  shutdown.add("chains", () => chains.close());
  const signer = config.signer === null ? null : openSignerDoor(config.signer);
  const payouts = startPayouts({ ...process_, ids: members.ids, signer });
  shutdown.add("payouts", () => payouts.close());
  const watched = watchHealth(process_, { acceptance, configs, signer });
  shutdown.add("health", () => watched.stop());

  const placing = { databases, configs, collector: orders.collector, bus, signer: acceptanceKey };
  const push = startPush(process_, {
    keys: openVapidKeys(config.dataDir),
    agent: openPushAgent(),
    nameOf: (symbol) => configs.findInstrument(symbol)?.name ?? symbol,
    readAlerts: (memberIds, alertIds) => readAlerts(placing, memberIds, alertIds),
    readOrders: (memberIds, orderIds) => readOrders(placing, memberIds, orderIds),
  });
  shutdown.add("push", () => push.stop());
  const { inbox } = mail;
  const app = createHttpServer({
    context: process_,
    routes: [
      ...serverRoutes(members, placing, addresses, files, signer),
      ...receiptRoutes({
        databases,
        files: publicLog.files,
        signer: acceptanceKey,
        hasCaughtUp: () => logWatch.hasCaughtUp(),
      }),
      ...liabilityRoutes({ databases, files: publicLog.files }),
    ],
    authenticate: (token) => authenticator.authenticate(token),
    health: watched.report,
    metrics: process_.metrics,
    appFolder: MEMBER_APP,
    pages: (pages) => {
      addLogPages(pages, process_, publicLog.files);
      addFairnessPages(pages, openFairness(process_));
      if (inbox !== null) addInboxRoutes(pages, inbox, sandboxOperators(config.dataDir));
      if (config.testChain !== null) addFaucetRoutes(pages, config.testChain, log);
    },
  });
  const stream = attachStream(app.server, {
    clock,
    bus,
    log,
    publicUrl: config.publicUrl,
    allowedHosts: config.allowedHosts,
    authenticate: (token) => authenticator.authenticate(token),
    decimalsOf: (symbol) => configs.findInstrument(symbol)?.decimals,
    members: {
      readOrders: (memberIds, orderIds) => readOrders(placing, memberIds, orderIds),
      readRunningOrderIds: (memberId, since) => readRunningOrderIds(process_, memberId, since),
      readSummaries: (memberId) => readSummaries(process_, memberId, clock.now()),
    },
    instruments: watchInstruments(process_, configs),
    readIdentity: (memberId) => readIdentity(process_, memberId),
    readDeposits: (memberIds, depositIds) => readDeposits(process_, memberIds, depositIds, clock.now()),
    readWithdrawals: (memberIds, withdrawalIds) => readWithdrawals(process_, memberIds, withdrawalIds),
    readSupportMessage: (memberId, messageId) => readSupportMessage(process_, memberId, messageId),
    readAlerts: (memberIds, alertIds) => readAlerts(placing, memberIds, alertIds),
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
  if (inbox !== null) await seedAccounts(members, inbox);
  await app.listen({ host: config.host, port: config.port });
  shutdown.add("http", () => app.close());
  shutdown.add("stream", () => stream.close());
  const office = await startConsole(process_, members.ids, { configs, files, health: watched.report });
  shutdown.add("console", () => office.close());
  return {
    places: [{ what: "Calls", where: `${config.publicUrl}/client` }, ...office.places],
    accounts: config.deployment === "sandbox" ? [...SEEDED_ACCOUNTS, ...sandboxOperators(config.dataDir)] : [],
  };
}
