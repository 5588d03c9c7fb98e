import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import type { IdSource } from "@fairtick/domain";
import { caseTakeRoutes } from "../features/case-takes/index.ts";
import { configRoutes } from "../features/config-desk/index.ts";
import { correctionRoutes } from "../features/corrections/index.ts";
import { depositDeskRoutes, startResuming } from "../features/deposit-desk/index.ts";
import { fairnessReportRoutes, openFairness } from "../features/fairness/index.ts";
import { fileDeskRoutes, type FileStore } from "../features/files/index.ts";
import { identityDeskRoutes } from "../features/identity/index.ts";
import { incidentDeskRoutes, readOpenIncidents } from "../features/incident-desk/index.ts";
import { referralRateRoutes } from "../features/invites/index.ts";
import { liabilityReportRoutes } from "../features/liabilities/index.ts";
import { memberDeskRoutes } from "../features/member-desk/index.ts";
import { noticeDeskRoutes } from "../features/notice-desk/index.ts";
import {
  authenticateOperator,
  inviteFounders,
  type OperatorContext,
  operatorRoutes,
  seedOperators,
} from "../features/operators/index.ts";
import { readVerifier } from "../features/release/index.ts";
import type { InvariantCheck } from "../features/ledger/index.ts";
import { overviewRoutes } from "../features/overview-desk/index.ts";
import { policyDeskRoutes } from "../features/policy-desk/index.ts";
import { addSupportEvents, supportDeskRoutes } from "../features/support-desk/index.ts";
import { readOldestWaiting, withdrawalDeskRoutes } from "../features/withdrawal-desk/index.ts";
import type { TradingConfigs } from "../features/trading-config/index.ts";
import { ownUrl } from "../platform/config.ts";
import { createConsoleServer, type OperatorRoute } from "../platform/console/index.ts";
import type { Context } from "../platform/context.ts";
import type { Place } from "../platform/family.ts";
import type { HealthReport } from "../platform/health.ts";
import type { Messenger } from "../platform/messenger.ts";
import type { Metrics } from "../platform/metrics.ts";
import { CASE_QUEUES, OVERVIEW_QUEUES } from "./overview-queues.ts";

const CONSOLE_APP = resolve(import.meta.dirname, "../../../backoffice/dist");

/** What the console shows of the server that it belongs to. */
export interface ConsoleParts {
  readonly configs: TradingConfigs;
  readonly files: FileStore;
  readonly health: () => HealthReport;
  /** Returns the newest check of the ledger; null if another process checks it. */
  readonly ledger: () => InvariantCheck | null;
}

/** Returns the routes of all calls of the back office, with one line for each feature. The console refuses to start if one is missing. */
export function consoleRoutes(
  context: OperatorContext,
  { configs, files, health, ledger }: ConsoleParts,
): OperatorRoute[] {
  const fairness = openFairness(context, readVerifier()?.sha256 ?? null);
  return [
    ...overviewRoutes(context, {
      configs,
      health,
      fairness,
      ledger,
      queues: OVERVIEW_QUEUES,
      openIncidents: readOpenIncidents,
      oldestWithdrawals: readOldestWaiting,
    }),
    ...caseTakeRoutes(CASE_QUEUES),
    ...operatorRoutes(context),
    ...memberDeskRoutes(context, configs),
    ...correctionRoutes(context, configs),
    ...configRoutes(context),
    ...policyDeskRoutes(context),
    ...referralRateRoutes(context),
    ...noticeDeskRoutes(),
    ...supportDeskRoutes(context, files),
    ...fileDeskRoutes(files),
    ...depositDeskRoutes(context),
    ...incidentDeskRoutes(context, health),
    ...fairnessReportRoutes(fairness),
    ...liabilityReportRoutes(),
    ...identityDeskRoutes(context, files),
    ...withdrawalDeskRoutes(context),
  ];
}

export interface Console {
  readonly url: string;
  readonly places: readonly Place[];
  close(): Promise<void>;
}

/** Starts the operators' console on its own port, with a sandbox's operators or the first admins' invitations. */
export async function startConsole(
  context: Context & { readonly metrics?: Metrics; readonly messenger: Messenger },
  ids: IdSource,
  parts: ConsoleParts,
): Promise<Console> {
  const { config } = context;
  let port = config.consolePort;
  const consoleUrl = () => config.consoleUrl ?? ownUrl(config.host, port);
  const operators: OperatorContext = { ...context, ids, consoleUrl };
  await seedOperators(operators);
  const app = createConsoleServer({
    context,
    routes: consoleRoutes(operators, parts),
    authenticate: authenticateOperator,
    consoleUrl,
    metrics: context.metrics,
    appFolder: CONSOLE_APP,
  });
  const resuming = startResuming(operators);
  const stopEvents = addSupportEvents(app, operators, consoleUrl);
  await app.listen({ host: config.host, port });
  ({ port } = app.server.address() as AddressInfo);
  const invited = await inviteFounders(operators, config.consoleFounders);
  return {
    url: consoleUrl(),
    places: [
      { what: "Operators' console", where: consoleUrl() },
      ...invited.map(({ login, invitation }) => ({ what: `Invitation of ${login}`, where: invitation })),
    ],
    async close() {
      stopEvents();
      await app.close();
      await resuming.stop();
    },
  };
}
