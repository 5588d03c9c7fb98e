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
  /** Places of its price. */
  readonly decimals: number;
  readonly sessionHours: SessionHours;
  readonly suspended: boolean;
  readonly feeRate: Rate;
  readonly minStake: MicroUsd;
  readonly maxStake: MicroUsd;
  readonly durations: readonly DurationOffer[];
  /** Share of the wallet's pool that running orders on it may win at most. */
  readonly exposureShare: Rate;
  /** An exit tick older than this before expiry voids the order: 5 s, FX 15 s. */
  readonly staleExitMs: bigint;
  /** English, for search and accessibility. Instruments of the first version leave it out: the app's catalogues name them. */
  readonly title?: string | undefined;
  /** By language code; a language without one shows `title`. */
  readonly titles?: Readonly<Record<string, string>> | undefined;
  /** What makes its prices. Instruments of the first version leave it out: the deployment's settings say it. */
  readonly prices?: InstrumentPrices | undefined;
}

/** Everything an order's acceptance depends on that operators configure. */
export interface TradingConfig {
  /** Named on every order accepted under it; grows by one with each change. */
  readonly version: number;
  /** Binds orders whose `acceptedAt` is at or after this. */
  readonly effectiveAt: Instant;
  readonly instruments: readonly InstrumentTerms[];
  /** Sum of a member's running stakes per wallet at most. */
  readonly memberRunningStakeMax: MicroUsd;
  /**
   * Number of a member's running orders per wallet at most. A version from before there was such a limit leaves it out and
   * keeps the bytes that were logged; MEMBER_RUNNING_ORDERS_MAX holds then.
   */
  readonly memberRunningOrdersMax?: number | undefined;
  /** Share of the wallet's pool that all running orders may win at most. */
  readonly totalExposureShare: Rate;
}
