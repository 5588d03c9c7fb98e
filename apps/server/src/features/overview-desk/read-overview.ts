import { type Instant, isOpenAt, utcDay, DAY_MS } from "@fairtick/domain";
import { mayCall, type Output, type overviewRead } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { reportDirections } from "../corrections/index.ts";
import { readPublication } from "../log/index.ts";
import type { OverviewParts } from "./overview-routes.ts";
import { readQueues } from "./read-queues.ts";

type Overview = Output<typeof overviewRead>;

export interface OverviewRequest {
  readonly context: Pick<Context, "config" | "databases">;
  readonly parts: OverviewParts;
  readonly db: Queryable;
  readonly session: OperatorSession;
  readonly now: Instant;
}

const WITHDRAWALS_SHOWN = 5;

/**
 * Reads the overview: only counts and sums, and about members only the numbers of waiting withdrawals. A block is null
 * if the operator may not open the screen behind it.
 */
export async function readOverview(request: OverviewRequest): Promise<Overview> {
  const { context, parts, db, session, now } = request;
  const may = (path: Parameters<typeof mayCall>[0]) => mayCall(path, session.roles);
  const config = parts.configs.current(now);
  const check = parts.ledger();
  return {
    at: Number(now),
    queues: await readQueues(db, parts.queues, session),
    alarms: may("incident/list") ? await readAlarms(db, parts) : null,
    exposure: may("report/exposure") ? await reportDirections(db, config) : null,
    result: may("report/fairness") ? await readResult(parts, now) : null,
    withdrawals: may("withdrawal/list") ? await parts.oldestWithdrawals(db, WITHDRAWALS_SHOWN) : null,
    prices: await readPrices(db, config, now),
    log: await readLog(context),
    ledger: check && { checkedAt: Number(check.checkedAt), broken: [...check.broken] },
  };
}

async function readAlarms(
  db: Queryable,
  { health, openIncidents }: OverviewParts,
): Promise<NonNullable<Overview["alarms"]>> {
  const { accepting, degraded } = health();
  return {
    accepting,
    degraded: degraded.map(({ part, since, cause }) => ({ part, since: Number(since), cause })),
    ...(await openIncidents(db)),
  };
}

/** Reads the house's result, which is what members lost. The figures are those of `/fairness.json`. */
async function readResult({ fairness }: OverviewParts, now: Instant): Promise<Overview["result"]> {
  const today = new Date(utcDay(now) * Number(DAY_MS)).toISOString().slice(0, 10);
  const { byDay } = await fairness.read();
  const real = byDay.find(({ day, wallet }) => day === today && wallet === "real");
  if (real === undefined) return null;
  return {
    orders: real.orders,
    actual: negated(real.result),
    expected: negated(real.fairResult),
    from: negated(real.fairTo),
    to: negated(real.fairFrom),
  };
}

function negated(amount: string): string {
  if (amount.startsWith("-")) return amount.slice(1);
  return /[1-9]/.test(amount) ? `-${amount}` : amount;
}

async function readPrices(
  db: Queryable,
  { instruments }: ReturnType<OverviewParts["configs"]["current"]>,
  now: Instant,
): Promise<Overview["prices"]> {
  const clocks = await db.query<{ symbol: string; time: bigint }>(
    "SELECT symbol, time FROM instrument_clock WHERE seq > 0",
  );
  const lastOf = new Map(clocks.map(({ symbol, time }) => [symbol, Number(time)]));
  return instruments.map((terms) => ({
    symbol: terms.symbol,
    name: terms.name,
    isOpen: !terms.suspended && isOpenAt(terms, now),
    lastAt: lastOf.get(terms.symbol) ?? null,
  }));
}

async function readLog({ config, databases }: OverviewRequest["context"]): Promise<Overview["log"]> {
  const published = await readPublication(databases.reader);
  if (published === null) return null;
  return {
    size: published.size,
    coversAt: Number(published.coversAt),
    required: config.witnessesRequired ?? config.witnesses.length,
    witnesses: published.witnesses.map(({ name, size, at }) => ({ name, size, at })),
  };
}
