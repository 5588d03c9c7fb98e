import type { Rate } from "../money/money.ts";
import type { InstrumentTerms } from "./instrument.ts";
import type { Points } from "./price.ts";
import type { Sm1Params, Sm1Switches } from "./sm1.ts";

/** Parameters of the simulated market for an instrument that was added to a running house. See `Sm1Params`. */
export interface SimulatedPrices {
  readonly source: "simulated";
  /** Price at which the walk starts and to which it is pulled back. */
  readonly anchor: Points;
  readonly sigma: bigint;
  readonly jump: number;
  readonly spread: bigint;
  readonly pull: number;
  readonly switches: Sm1Switches;
}

/** Outside sources, each with its own name for the instrument: `{kraken: "LTC/USD"}`. */
export interface OutsidePrices {
  readonly source: "outside";
  readonly names: Readonly<Record<string, string>>;
}

/**
 * What makes an instrument's prices. It never changes, because the log has committed to how the price path continues.
 */
export type InstrumentPrices = SimulatedPrices | OutsidePrices;

/** Number of half-seconds in a year of 365 days. Yearly volatility is spread over that many ticks. */
const TICKS_A_YEAR = 31_536_000 * 2;
const SIGMA_ONE = 2 ** 40;
/** Number of half-second ticks in the shortest duration. */
const SHORTEST_TICKS = 60;
const TICKS_A_DAY = 86_400 * 2;
const JUMP_ONE = 65_536;

/** Converts a yearly volatility in millionths to `sigma`: 80_000 is 8 % and gives 11_075_708. */
export function sigmaOfVolatility(volatility: Rate): bigint {
  return BigInt(Math.round((Number(volatility) / 1_000_000 / Math.sqrt(TICKS_A_YEAR)) * SIGMA_ONE));
}

/** Converts `sigma` back to the yearly volatility in millionths, exact to a millionth in both directions. */
export function volatilityOfSigma(sigma: bigint): Rate {
  return BigInt(Math.round((Number(sigma) / SIGMA_ONE) * Math.sqrt(TICKS_A_YEAR) * 1_000_000)) as Rate;
}

/** Returns the average number of jumps a day for a probability in 65,536ths per tick: 5 gives about 13.2. */
export function jumpsPerDay(jump: number): number {
  return (jump * TICKS_A_DAY) / JUMP_ONE;
}

/** Returns the usual move of the price in the shortest duration (one standard deviation), in points. */
export function usualMove({ anchor, sigma }: Pick<SimulatedPrices, "anchor" | "sigma">): number {
  return Number(anchor) * (Number(sigma) / SIGMA_ONE) * Math.sqrt(SHORTEST_TICKS);
}

/** Makes the simulated market's parameters of an added instrument; null if its prices come from elsewhere. */
export function sm1ParamsOf(terms: Pick<InstrumentTerms, "symbol" | "name" | "decimals" | "prices">): Sm1Params | null {
  const { prices } = terms;
  if (prices?.source !== "simulated") return null;
  const { anchor, sigma, jump, spread, pull, switches } = prices;
  return {
    symbol: terms.symbol,
    name: terms.name,
    anchor,
    sigma,
    jump,
    spread,
    pull,
    switches,
    digits: terms.decimals,
  };
}
