import { type Output, overviewRead } from "@fairtick/protocol/operator";
import { type OperatorRoute, operatorRoute } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import type { HealthReport } from "../../platform/health.ts";
import type { FairnessReport } from "../fairness/index.ts";
import type { InvariantCheck } from "../ledger/index.ts";
import type { OperatorContext } from "../operators/index.ts";
import type { TradingConfigs } from "../trading-config/index.ts";
import { readOverview } from "./read-overview.ts";
import type { QueueReader } from "./read-queues.ts";

type Overview = Output<typeof overviewRead>;
type Alarms = NonNullable<Overview["alarms"]>;

export interface OverviewParts {
  readonly configs: TradingConfigs;
  readonly health: () => HealthReport;
  readonly fairness: FairnessReport;
  /** Returns the last check of the ledger. Null if another process checks it. */
  readonly ledger: () => InvariantCheck | null;
  /** Queues of other desks. */
  readonly queues: readonly QueueReader[];
  readonly openIncidents: (db: Queryable) => Promise<Pick<Alarms, "open" | "incidents">>;
  readonly oldestWithdrawals: (db: Queryable, most: number) => Promise<Overview["withdrawals"]>;
}

/** Returns the route of the console's first screen. */
export function overviewRoutes(context: OperatorContext, parts: OverviewParts): OperatorRoute[] {
  return [operatorRoute(overviewRead, ({ db, session, now }) => readOverview({ context, parts, db, session, now }))];
}
