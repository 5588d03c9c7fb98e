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

/** What makes an instrument's prices. It never changes: a path that was begun goes on as it was committed to. */
export type InstrumentPrices = SimulatedPrices | OutsidePrices;

/** Half-seconds of a year of 365 days: the ticks that its volatility is spread over. */
const TICKS_A_YEAR = 31_536_000 * 2;
const SIGMA_ONE = 2 ** 40;
/** Half-seconds of the shortest duration. */
const SHORTEST_TICKS = 60;
const TICKS_A_DAY = 86_400 * 2;
const JUMP_ONE = 65_536;

/** `sigma` of a volatility a year, in millionths: 80_000 is 8 % and gives 11_075_708. */
export function sigmaOfVolatility(volatility: Rate): bigint {
  return BigInt(Math.round((Number(volatility) / 1_000_000 / Math.sqrt(TICKS_A_YEAR)) * SIGMA_ONE));
}

/** The volatility a year that `sigma` stands for, in millionths; exact to a millionth both ways. */
export function volatilityOfSigma(sigma: bigint): Rate {
  return BigInt(Math.round((Number(sigma) / SIGMA_ONE) * Math.sqrt(TICKS_A_YEAR) * 1_000_000)) as Rate;
}

/** Jumps a day, on average, of a chance per tick in 65,536: 5 is about 13.2. */
export function jumpsPerDay(jump: number): number {
  return (jump * TICKS_A_DAY) / JUMP_ONE;
}

/** How far the price usually moves in the shortest duration (one standard deviation), in points. */
export function usualMove({ anchor, sigma }: Pick<SimulatedPrices, "anchor" | "sigma">): number {
  return Number(anchor) * (Number(sigma) / SIGMA_ONE) * Math.sqrt(SHORTEST_TICKS);
}

/** The simulated market's params of an added instrument; null where something else makes its prices. */
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
