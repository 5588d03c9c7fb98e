import {
  type Direction,
  divideDown,
  formatExactMoney,
  type Instant,
  type MicroUsd,
  RATE_ONE,
  startOfUtcDay,
  type TradingConfig,
  utcDay,
  type Wallet,
  WALLETS,
} from "@fairtick/domain";
import type { WalletReport } from "@fairtick/protocol/operator";
import type { Queryable } from "../../platform/database.ts";

/** Reads pools, what is owed to members, and what running orders can cost at worst, by wallet and instrument. */
export async function reportExposure(db: Queryable, config: TradingConfig): Promise<WalletReport[]> {
  const accounts = await db.query<{ wallet: Wallet; account: string; balance: bigint }>(
    "SELECT wallet, account, balance FROM house_accounts",
  );
  const exposures = await db.query<{ wallet: Wallet; symbol: string; profit: bigint }>(
    "SELECT wallet, symbol, sum(profit)::bigint AS profit FROM exposure GROUP BY wallet, symbol",
  );
  const [owed] = await db.query<Record<Wallet, bigint>>(
    `SELECT coalesce(sum(practice_available + practice_locked), 0)::bigint AS practice,
       coalesce(sum(real_available + real_locked), 0)::bigint AS real FROM members_money`,
  );
  return WALLETS.map((wallet) => {
    const balanceOf = (account: string) =>
      accounts.find((each) => each.wallet === wallet && each.account === account)?.balance ?? 0n;
    const pool = balanceOf("pool");
    const bySymbol = new Map(
      exposures.filter((each) => each.wallet === wallet).map((each) => [each.symbol, each.profit]),
    );
    const total = [...bySymbol.values()].reduce((sum, profit) => sum + profit, 0n);
    return {
      wallet,
      pool: money(pool),
      fees: money(balanceOf("fees")),
      capital: money(balanceOf("capital")),
      owed: money(owed?.[wallet] ?? 0n),
      receivable: money(-balanceOf("receivable")),
      exposure: money(total),
      exposureMax: money(shareOf(pool, config.totalExposureShare)),
      instruments: config.instruments.map(({ symbol, exposureShare }) => ({
        symbol,
        exposure: money(bySymbol.get(symbol) ?? 0n),
        exposureMax: money(shareOf(pool, exposureShare)),
      })),
    };
  });
}

/**
 * Reads the exposure of real wallets by product and direction: the profits that running orders would win. Up and down are
 * not netted. A sealed order counts apart until it is revealed, since nobody knows its direction.
 */
export async function reportDirections(db: Queryable, config: TradingConfig) {
  const [account] = await db.query<{ balance: bigint }>(
    "SELECT balance FROM house_accounts WHERE wallet = 'real' AND account = 'pool'",
  );
  const rows = await db.query<{ symbol: string; direction: Direction | null; profit: bigint }>(
    `SELECT o.symbol, o.direction, sum(o.profit_if_won)::bigint AS profit
     FROM open_orders r JOIN orders o USING (member_id, order_id) WHERE o.wallet = 'real' GROUP BY o.symbol, o.direction`,
  );
  const pool = account?.balance ?? 0n;
  const sumOf = (symbol: string, direction: Direction | null) =>
    money(rows.find((row) => row.symbol === symbol && row.direction === direction)?.profit ?? 0n);
  return {
    total: money(rows.reduce((sum, { profit }) => sum + profit, 0n)),
    totalMax: money(shareOf(pool, config.totalExposureShare)),
    instruments: config.instruments.map(({ symbol, name, exposureShare }) => ({
      symbol,
      name,
      up: sumOf(symbol, "up"),
      down: sumOf(symbol, "down"),
      sealed: sumOf(symbol, null),
      max: money(shareOf(pool, exposureShare)),
    })),
  };
}

const MICRO_PER_CENT = 10_000n;

/** Returns a share of a pool, rounded down to whole cents; 0 if the pool isn't positive. */
function shareOf(pool: bigint, share: bigint): bigint {
  return pool <= 0n ? 0n : divideDown(pool * share, RATE_ONE * MICRO_PER_CENT) * MICRO_PER_CENT;
}

function money(amount: bigint): string {
  return formatExactMoney(amount as MicroUsd);
}

const DAY_MS = 86_400_000n;
const DAYS = 14;

/**
 * Reads the house's result from settled orders, by UTC day of settlement and by wallet, newest first. Days without orders are
 * left out.
 */
export async function reportResult(db: Queryable, now: Instant, days = DAYS) {
  const from = startOfUtcDay(utcDay(now)) - BigInt(days - 1) * DAY_MS;
  const rows = await db.query<{
    day: string;
    wallet: Wallet;
    orders: bigint;
    staked: bigint;
    fees: bigint;
    profit: bigint;
  }>(
    `SELECT to_char(to_timestamp(s.settled_at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, o.wallet, count(*) AS orders,
       sum(o.stake)::bigint AS staked, coalesce(sum(o.fee) FILTER (WHERE s.outcome IN ('won', 'lost')), 0)::bigint AS fees,
       sum(s.profit)::bigint AS profit
     FROM settlements s JOIN orders o USING (member_id, order_id) WHERE s.settled_at >= $1
     GROUP BY 1, 2 ORDER BY 1 DESC, 2`,
    [from],
  );
  return rows.map(({ day, wallet, orders, staked, fees, profit }) => ({
    day,
    wallet,
    orders: Number(orders),
    staked: money(staked),
    fees: money(fees),
    // The fee is already subtracted from a member's profit.
    trading: money(0n - profit - fees),
  }));
}
