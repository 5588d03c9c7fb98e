import type { Rate } from "../money/money.ts";
import type { InstrumentTerms } from "./instrument.ts";
import type { Points } from "./price.ts";
import type { Sm1Params, Sm1Switches } from "./sm1.ts";

/** The simulated market's figures of an instrument that was added to a running house. See `Sm1Params`. */
export interface SimulatedPrices {
  readonly source: "simulated";
  /** Where its price starts, and what it is pulled back to. */
  readonly anchor: Points;
  readonly sigma: bigint;
  readonly jump: number;
  readonly spread: bigint;
  readonly pull: number;
  readonly switches: Sm1Switches;
}

/** Outside sources, each with the name that it has for the instrument: `{kraken: "LTC/USD"}`. */
export interface OutsidePrices {
  readonly source: "outside";
  readonly names: Readonly<Record<string, string>>;
}

/** What makes an instrument's prices. It never changes, since the log has committed to how the path goes on. */
export type InstrumentPrices = SimulatedPrices | OutsidePrices;

/** Half-seconds of a year of 365 days: the ticks that its volatility is spread over. */
const TICKS_A_YEAR = 31_536_000 * 2;
const SIGMA_ONE = 2 ** 40;
/** Half-seconds of the shortest duration. */
const SHORTEST_TICKS = 60;
const TICKS_A_DAY = 86_400 * 2;
const JUMP_ONE = 65_536;

/** Converts a volatility for a year, in millionths, into `sigma`: 80_000 is 8 % and gives 11_075_708. */
export function sigmaOfVolatility(volatility: Rate): bigint {
  return BigInt(Math.round((Number(volatility) / 1_000_000 / Math.sqrt(TICKS_A_YEAR)) * SIGMA_ONE));
}

/** Converts `sigma` back into the volatility for a year, in millionths; exact to a millionth both ways. */
export function volatilityOfSigma(sigma: bigint): Rate {
  return BigInt(Math.round((Number(sigma) / SIGMA_ONE) * Math.sqrt(TICKS_A_YEAR) * 1_000_000)) as Rate;
}

/** Answers how many jumps a day a chance of so many 65,536ths at each tick gives on average: 5 gives about 13.2. */
export function jumpsPerDay(jump: number): number {
  return (jump * TICKS_A_DAY) / JUMP_ONE;
}

/** Answers how far the price usually moves in the shortest duration (one standard deviation), in points. */
export function usualMove({ anchor, sigma }: Pick<SimulatedPrices, "anchor" | "sigma">): number {
  return Number(anchor) * (Number(sigma) / SIGMA_ONE) * Math.sqrt(SHORTEST_TICKS);
}

/** Makes the simulated market's params for an added instrument; null where its prices come from elsewhere. */
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
