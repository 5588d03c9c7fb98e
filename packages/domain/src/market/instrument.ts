import type { MicroUsd, Rate } from "../money/money.ts";
import type { Instant } from "../base/time.ts";
import type { InstrumentPrices } from "./instrument-prices.ts";

export type InstrumentKind = "fx" | "crypto";

export interface DurationOffer {
  readonly seconds: number;
  readonly payoutRate: Rate;
}

/** When an instrument takes orders. `always`: no hours (crypto; the simulated market by default). */
export type SessionHours = "always" | "fx-new-york";

/** One instrument's terms in one configuration version. Immutable: a change is a new version. */
export interface InstrumentTerms {
  /** `EURUSD` in calls, tables and log. */
  readonly symbol: string;
  /** `EUR/USD` on screens, and what SM1 hashes. */
  readonly name: string;
  readonly kind: InstrumentKind;
  /** Decimal places of its price. */
  readonly decimals: number;
  readonly sessionHours: SessionHours;
  readonly suspended: boolean;
  readonly feeRate: Rate;
  readonly minStake: MicroUsd;
  readonly maxStake: MicroUsd;
  readonly durations: readonly DurationOffer[];
  /** The share of the wallet's pool that the running orders on it may win at most. */
  readonly exposureShare: Rate;
  /** An order is voided if its exit tick is older than this at its expiry: 5 s, foreign exchange 15 s. */
  readonly staleExitMs: bigint;
  /** English, for search and accessibility. Instruments of the first version leave it out: the app's catalogues name them. */
  readonly title?: string | undefined;
  /** By language code; a language without one shows `title`. */
  readonly titles?: Readonly<Record<string, string>> | undefined;
  /** What makes its prices. Instruments of the first version leave it out: there the deployment's settings decide. */
  readonly prices?: InstrumentPrices | undefined;
}

/** Everything an order's acceptance depends on that operators configure. */
export interface TradingConfig {
  /** Named on every order accepted under it; grows by one with each change. */
  readonly version: number;
  /** The version holds for orders whose `acceptedAt` is at or after this moment. */
  readonly effectiveAt: Instant;
  readonly instruments: readonly InstrumentTerms[];
  /** The most that a member's running stakes may sum up to in one wallet. */
  readonly memberRunningStakeMax: MicroUsd;
  /**
   * The most orders that a member may have running in one wallet. Versions from before there was such a limit leave it
   * out, so that their logged bytes stay the same; for them MEMBER_RUNNING_ORDERS_MAX holds.
   */
  readonly memberRunningOrdersMax?: number | undefined;
  /** The share of the wallet's pool that all running orders together may win at most. */
  readonly totalExposureShare: Rate;
}
