import { DAY_MS, formatMoney, formatUsdt, type MicroUsd, toHex } from "@fairtick/domain";
import { type Output, reportLiabilities as reportLiabilitiesCall } from "@fairtick/protocol/operator";
import { type OperatorRoute, operatorRoute } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";

const DAYS_SHOWN = 90;

/** Route for the published sums with their places in the log, and for the funds that cover them. */
export function liabilityReportRoutes(): OperatorRoute[] {
  return [operatorRoute(reportLiabilitiesCall, ({ db }) => reportLiabilities(db))];
}

async function reportLiabilities(db: Queryable): Promise<Output<typeof reportLiabilitiesCall>> {
  const [now] = await db.query<{ owed: bigint }>(
    "SELECT coalesce(sum(real_available + real_locked), 0)::bigint AS owed FROM members_money",
  );
  const days = await db.query<{
    day: number;
    read_at: bigint;
    members: number;
    sum: bigint;
    root: Buffer;
    log_index: bigint | null;
  }>(
    `SELECT d.day, d.read_at, d.members, d.sum, d.root, l.log_index FROM liability_days d
     LEFT JOIN log_entries l ON l.kind = 'liabilities' AND l.about = '' AND l.number = d.day ORDER BY d.day DESC LIMIT $1`,
    [DAYS_SHOWN],
  );
  const house = await db.query<{ account: string; balance: bigint }>(
    "SELECT account, balance FROM house_accounts WHERE wallet = 'real' ORDER BY account",
  );
  const wallets = await db.query<{ chain: string; address: string; tokens: string; seen_at: bigint }>(
    `SELECT i.chain, w.address, w.token_balance::text AS tokens, w.seen_at
     FROM payout_wallets w JOIN chain_instances i USING (instance_id)
     WHERE i.ended_at IS NULL AND w.token_balance IS NOT NULL AND w.seen_at IS NOT NULL ORDER BY i.chain, w.made_at`,
  );
  return {
    owedNow: money(now?.owed ?? 0n),
    days: days.map((row) => ({
      day: new Date(row.day * Number(DAY_MS)).toISOString().slice(0, 10),
      at: Number(row.read_at),
      members: row.members,
      sum: money(row.sum),
      root: toHex(row.root),
      loggedAt: row.log_index === null ? null : Number(row.log_index),
    })),
    // Clearing accounts can hold fractions of a cent, since amounts on chains have six decimals.
    house: house.map(({ account, balance }) => ({ account, balance: formatUsdt(balance as MicroUsd) })),
    chains: wallets.map(({ chain, address, tokens, seen_at: seenAt }) => ({
      chain,
      address,
      tokens: formatUsdt(BigInt(tokens) as MicroUsd),
      seenAt: Number(seenAt),
    })),
  };
}

function money(amount: bigint): string {
  return formatMoney(amount as MicroUsd);
}
