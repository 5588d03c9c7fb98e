import { refuseOtherDecimals } from "../features/chain/index.ts";
import { seedReceivingCards } from "../features/deposits/index.ts";
import { SEEDED_ACCOUNTS } from "../features/inbox/index.ts";
import { seedReferralRate } from "../features/invites/index.ts";
import { seedHouseCapital } from "../features/ledger/index.ts";
import { addLogPages } from "../features/log/index.ts";
import { sandboxOperators } from "../features/operators/index.ts";
import { seedRegions } from "../features/regions/index.ts";
import { createAuthenticator } from "../features/sessions/index.ts";
import { seedTradingConfig } from "../features/trading-config/index.ts";
import { seedWithdrawalTerms } from "../features/withdrawals/index.ts";
import type { Process } from "../platform/context.ts";
import type { Place, Started } from "../platform/family.ts";
import { createHttpServer } from "../platform/http/index.ts";
import { createSecurityWatch } from "../platform/security-events.ts";
import { holdServerKeys } from "./hold-server-keys.ts";
import { MEMBER_APP, openParts } from "./parts.ts";
import { startApiRole } from "./start-api.ts";
import { startChainRole } from "./start-chain.ts";
import { startConsole } from "./start-console.ts";
import { startJobsRole } from "./start-jobs.ts";
import { startLogRole } from "./start-log-role.ts";
import { startSettlementRole } from "./start-settlement.ts";
import { startStreamRole } from "./start-stream.ts";
import { watchHealth } from "./watch-health.ts";

/**
 * Starts the roles of this process that `ROLES` names, except `market`. Every such process answers `/health` on its port,
 * whatever else it does. What is added to `shutdown` last is closed first.
 */
export async function startServerRole(process_: Process): Promise<Started> {
  const { config, clock, log, shutdown } = process_;
  const { roles } = config;
  await refuseOtherDecimals(config.chains, log);
  await holdServerKeys(process_);
  await seedHouse(process_);
  const parts = await openParts(process_);

  if (roles.has("log")) await startLogRole(parts);
  const api = roles.has("api") ? await startApiRole(parts) : null;
  if (roles.has("settlement")) await startSettlementRole(parts);
  if (roles.has("jobs")) await startJobsRole(parts);
  if (roles.has("chain")) startChainRole(parts);

  const watched = watchHealth(process_, {
    acceptance: parts.acceptance,
    configs: parts.configs,
    signer: parts.signer(),
  });
  shutdown.add("health", () => watched.stop());
  const security = createSecurityWatch("member", { log, secret: config.secret, clock, metrics: process_.metrics });
  const authenticator = createAuthenticator({ ...process_, security });
  shutdown.add("authenticator", () => authenticator.close());
  const logFiles = await parts.logFiles();
  const app = createHttpServer({
    context: process_,
    routes: api?.routes ?? null,
    authenticate: (token, from) => authenticator.authenticate(token, from),
    health: watched.report,
    metrics: process_.metrics,
    ...(api !== null && { appFolder: MEMBER_APP }),
    pages(pages) {
      if (roles.has("log") || roles.has("api")) addLogPages(pages, process_, logFiles);
      api?.pages(pages);
    },
  });
  const stream = roles.has("stream") ? startStreamRole(parts, app.server, { authenticator, security }) : null;
  await app.listen({ host: config.host, port: config.port });
  shutdown.add("http", () => app.close());
  if (stream !== null) shutdown.add("stream", () => stream.close());

  const places: Place[] = api === null ? [] : [{ what: "Calls", where: `${config.publicUrl}/client` }];
  if (roles.has("console")) {
    const { context } = await parts.members();
    const office = await startConsole({ ...process_, messenger: context.messenger }, parts.ids, {
      configs: parts.configs,
      files: await parts.files(),
      health: watched.report,
      ledger: () => api?.ledger() ?? null,
    });
    shutdown.add("console", () => office.close());
    places.push(...office.places);
  }
  const accounts = config.deployment === "sandbox" ? [...SEEDED_ACCOUNTS, ...sandboxOperators(config.dataDir)] : [];
  return { places, accounts };
}

/** Writes what a new house starts with, once. */
async function seedHouse(process_: Process): Promise<void> {
  await seedTradingConfig(process_);
  await seedRegions(process_);
  await seedWithdrawalTerms(process_);
  await seedHouseCapital(process_);
  await seedReceivingCards(process_);
  await seedReferralRate(process_);
}
