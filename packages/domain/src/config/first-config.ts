import type { InstrumentKind, InstrumentTerms, SessionHours, TradingConfig } from "../market/instrument.ts";
import type { MicroUsd, Rate } from "../money/money.ts";
import type { Points } from "../market/price.ts";
import { SM1_DEFAULT_SWITCHES, type Sm1Params } from "../market/sm1.ts";
import type { Instant } from "../base/time.ts";
import { MEMBER_RUNNING_ORDERS_MAX } from "../orders/order-limits.ts";

/** Figures that a new deployment starts with: configuration version 1 and the simulated market's parameters. */

/** One row of the instrument table. Sigma is precomputed: 8 % a year is 11_075_708 (see `Sm1Params`). */
interface Row {
  readonly symbol: string;
  readonly name: string;
  readonly kind: InstrumentKind;
  readonly decimals: number;
  readonly anchor: bigint;
  readonly sigma: bigint;
  readonly jump: number;
  readonly spread: bigint;
}

const FX_JUMP = 5;
const GOLD_JUMP = 7;
const CRYPTO_JUMP = 18;

// Decimals are chosen so that a thirty-second move spans about seventy points or more, which keeps ties below one per
// cent.
const ROWS: readonly Row[] = [
  fx("EURUSD", "EUR/USD", 6, 1_085_000n, 11_075_708n, 60n),
  fx("GBPUSD", "GBP/USD", 6, 1_270_000n, 12_460_172n, 90n),
  fx("USDJPY", "USD/JPY", 4, 1_510_000n, 13_844_635n, 80n),
  fx("AUDUSD", "AUD/USD", 6, 658_000n, 15_229_099n, 70n),
  fx("USDCHF", "USD/CHF", 6, 884_000n, 11_075_708n, 90n),
  fx("USDCAD", "USD/CAD", 6, 1_362_000n, 9_691_245n, 100n),
  { ...fx("XAUUSD", "XAU/USD", 3, 2_650_000n, 22_151_417n, 300n), jump: GOLD_JUMP },
  crypto("BTCUSD", "BTC/USD", 2, 9_700_000n, 76_145_495n, 1_000n),
  crypto("ETHUSD", "ETH/USD", 2, 340_000n, 89_990_131n, 40n),
  crypto("SOLUSD", "SOL/USD", 3, 190_000n, 117_679_402n, 40n),
  crypto("XRPUSD", "XRP/USD", 5, 220_000n, 117_679_402n, 60n),
  crypto("DOGEUSD", "DOGE/USD", 6, 330_000n, 131_524_037n, 90n),
];

const OFFERS = [
  { seconds: 30, payoutRate: 820_000n as Rate },
  { seconds: 60, payoutRate: 850_000n as Rate },
  { seconds: 120, payoutRate: 860_000n as Rate },
  { seconds: 180, payoutRate: 870_000n as Rate },
  { seconds: 300, payoutRate: 880_000n as Rate },
  { seconds: 900, payoutRate: 890_000n as Rate },
  { seconds: 3600, payoutRate: 900_000n as Rate },
];

/** Starting parameters of the simulated market, one entry per instrument. */
export const FIRST_SM1_PARAMS: readonly Sm1Params[] = ROWS.map((row) => ({
  symbol: row.symbol,
  name: row.name,
  anchor: row.anchor as Points,
  sigma: row.sigma,
  jump: row.jump,
  spread: row.spread,
  pull: 22,
  switches: SM1_DEFAULT_SWITCHES,
  digits: row.decimals,
}));

/**
 * Makes configuration version 1. Foreign exchange is always open unless `fxHours` says otherwise, because its prices
 * are simulated.
 */
export function firstTradingConfig(effectiveAt: Instant, fxHours: SessionHours = "always"): TradingConfig {
  return {
    version: 1,
    effectiveAt,
    instruments: ROWS.map((row) => firstTerms(row, fxHours)),
    memberRunningStakeMax: 20_000_000_000n as MicroUsd,
    memberRunningOrdersMax: MEMBER_RUNNING_ORDERS_MAX,
    totalExposureShare: 800_000n as Rate,
  };
}

/** Practice money that a new member receives, and the balance that a refill restores. */
export const PRACTICE_START = 10_000_000_000n as MicroUsd;
/** A member can ask for a refill when they have less than this. */
export const REFILL_BELOW = 1_000_000_000n as MicroUsd;
/** The house's capital in a sandbox, per wallet. */
export const SANDBOX_HOUSE_CAPITAL = {
  practice: 10_000_000_000_000n as MicroUsd,
  real: 1_000_000_000_000n as MicroUsd,
};

function firstTerms(row: Row, fxHours: SessionHours): InstrumentTerms {
  return {
    symbol: row.symbol,
    name: row.name,
    kind: row.kind,
    decimals: row.decimals,
    sessionHours: row.kind === "fx" ? fxHours : "always",
    suspended: false,
    feeRate: 10_000n as Rate,
    minStake: 1_000_000n as MicroUsd,
    maxStake: 1_000_000_000n as MicroUsd,
    durations: OFFERS,
    exposureShare: 200_000n as Rate,
    staleExitMs: row.kind === "fx" ? 15_000n : 5_000n,
  };
}

function fx(...[symbol, name, decimals, anchor, sigma, spread]: [string, string, number, bigint, bigint, bigint]): Row {
  return { symbol, name, kind: "fx", decimals, anchor, sigma, jump: FX_JUMP, spread };
}

function crypto(...row: Parameters<typeof fx>): Row {
  return { ...fx(...row), kind: "crypto", jump: CRYPTO_JUMP };
}
