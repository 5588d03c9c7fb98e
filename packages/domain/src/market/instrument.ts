import type { MicroUsd, Rate } from "../money/money.ts";
import type { Instant } from "../base/time.ts";
import type { InstrumentPrices } from "./instrument-prices.ts";

export type InstrumentKind = "fx" | "crypto";

export interface DurationOffer {
  readonly seconds: number;
  readonly payoutRate: Rate;
}

/** When an instrument takes orders. `always`: at any time (crypto, and by default the simulated market). */
export type SessionHours = "always" | "fx-new-york";

/** One instrument's terms in one configuration version. They are immutable; a change makes a new version. */
export interface InstrumentTerms {
  /** Such as `EURUSD`, used in calls, tables and the log. */
  readonly symbol: string;
  /** Such as `EUR/USD`, shown on screens and hashed by SM1. */
  readonly name: string;
  readonly kind: InstrumentKind;
  /** Decimal places of the price. */
  readonly decimals: number;
  readonly sessionHours: SessionHours;
  readonly suspended: boolean;
  readonly feeRate: Rate;
  readonly minStake: MicroUsd;
  readonly maxStake: MicroUsd;
  readonly durations: readonly DurationOffer[];
  /** The most that running orders on it may win, as a share of the wallet's pool. */
  readonly exposureShare: Rate;
  /** An order is voided if its exit tick is older than this at its expiry: 5 s, foreign exchange 15 s. */
  readonly staleExitMs: bigint;
  /**
   * English title for search and accessibility. Instruments of the first version have none; the app's catalogues name
   * them.
   */
  readonly title?: string | undefined;
  /** Title by language code; languages that are missing show `title`. */
  readonly titles?: Readonly<Record<string, string>> | undefined;
  /**
   * What makes its prices. Left out by instruments of the first version, for which the deployment's settings decide.
   */
  readonly prices?: InstrumentPrices | undefined;
}

/** The operator-configured values on which an order's acceptance depends. */
export interface TradingConfig {
  /** Stored with every order accepted under it; grows by one with each change. */
  readonly version: number;
  /** The version applies to orders whose `acceptedAt` is at or after this moment. */
  readonly effectiveAt: Instant;
  readonly instruments: readonly InstrumentTerms[];
  /** Maximum sum of a member's running stakes in one wallet. */
  readonly memberRunningStakeMax: MicroUsd;
  /**
   * Maximum number of a member's running orders in one wallet. Versions from before this limit existed leave it out, so
   * that their logged bytes stay the same; MEMBER_RUNNING_ORDERS_MAX applies to them.
   */
  readonly memberRunningOrdersMax?: number | undefined;
  /** The most that all running orders together may win, as a share of the wallet's pool. */
  readonly totalExposureShare: Rate;
}
