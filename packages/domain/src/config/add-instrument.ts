import type { InstrumentKind, InstrumentTerms, TradingConfig } from "../market/instrument.ts";
import {
  type InstrumentPrices,
  jumpsPerDay,
  type OutsidePrices,
  sigmaOfVolatility,
  usualMove,
  volatilityOfSigma,
} from "../market/instrument-prices.ts";
import type { Rate } from "../money/money.ts";
import { formatPrice, parsePrice, type Points } from "../market/price.ts";
import { SM1_DEFAULT_SWITCHES } from "../market/sm1.ts";
import { parseDecimal } from "../money/decimal.ts";
import { formatRate } from "../money/money-text.ts";

/**
 * A simulated market as an operator describes it. Prices are texts with no more decimal places than the instrument has.
 */
export interface SimulatedWish {
  readonly source: "simulated";
  readonly anchor: string;
  /** Yearly volatility in millionths: 80_000 is 8 %. */
  readonly volatility: Rate;
  readonly spread: string;
  /** Probability of a jump at each tick, in 65,536ths. */
  readonly jump: number;
}

/** An instrument's identity, apart from its terms. None of these fields ever changes. */
export interface NewInstrument {
  readonly symbol: string;
  readonly name: string;
  readonly title: string;
  readonly titles?: Readonly<Record<string, string>> | undefined;
  readonly kind: InstrumentKind;
  readonly decimals: number;
  /** The instrument whose terms it starts with. */
  readonly termsOf: string;
  readonly prices: SimulatedWish | OutsidePrices;
}

const SYMBOL = /^[A-Z0-9]{3,16}$/;
const NAME = /^[A-Z0-9]{1,10}(?:\/[A-Z0-9]{1,10})?$/;
const OUTSIDE_NAME = /^[A-Za-z0-9/._-]{2,70}$/;
const TITLE_LENGTH_MAX = 60;
const DECIMALS_MAX = 8;
/** Largest anchor, in points. The walk stays below four times its anchor, which is still exact as a JSON number. */
const ANCHOR_MAX = 1_000_000_000_000n;
const VOLATILITY = { min: 10_000n, max: 3_000_000n };
/** At most one tick in a hundred is a jump; with more, a price would no longer behave like a market. */
const JUMP_MAX = 655;
/** The pull towards the anchor that all simulated instruments have (see `Sm1Params`). */
const PULL = 22;
/** Smallest usual move in the shortest duration, in points. Below it, more than one order in a hundred would tie. */
const USUAL_MOVE_MIN = 50;
const STALE_EXIT_MS = { fx: 15_000n, crypto: 5_000n };

/**
 * Makes the terms of an added instrument from another instrument's. Returns the name of a field whose price text isn't
 * valid with the instrument's decimal places. `wrongAddition` then checks that the figures are within their bounds.
 */
export function termsOfAddition(wish: NewInstrument, like: InstrumentTerms): InstrumentTerms | WrongField {
  const prices = pricesOf(wish);
  if (isWrongField(prices)) return prices;
  const { symbol, name, kind, decimals, titles } = wish;
  const { sessionHours, feeRate, minStake, maxStake, durations, exposureShare } = like;
  return {
    symbol,
    name,
    title: wish.title.trim(),
    ...(titles !== undefined && Object.keys(titles).length > 0 && { titles }),
    kind,
    decimals,
    prices,
    suspended: false,
    sessionHours: kind === like.kind ? sessionHours : "always",
    feeRate,
    minStake,
    maxStake,
    durations,
    exposureShare,
    staleExitMs: STALE_EXIT_MS[kind],
  };
}

/** The name of a field with a wrong value. */
export interface WrongField {
  readonly wrong: string;
}

export function isWrongField(value: object): value is WrongField {
  return "wrong" in value;
}

function pricesOf({ decimals, prices }: NewInstrument): InstrumentPrices | WrongField {
  if (prices.source === "outside") return { source: "outside", names: prices.names };
  if (!isDecimals(decimals)) return { wrong: "decimals" };
  const anchor = parsePrice(prices.anchor, decimals);
  if (anchor === null) return { wrong: "anchor" };
  const spread = parseDecimal(prices.spread, decimals, 9, true);
  if (spread === null) return { wrong: "spread" };
  const sigma = sigmaOfVolatility(prices.volatility);
  return { source: "simulated", anchor, sigma, jump: prices.jump, spread, pull: PULL, switches: SM1_DEFAULT_SWITCHES };
}

/**
 * Returns the name of the first wrong field of an added instrument; null if none is wrong or it is from the first
 * version.
 */
export function wrongAddition(terms: InstrumentTerms, all: TradingConfig["instruments"]): string | null {
  const { symbol, name, title, titles, decimals, prices } = terms;
  // The walk's random numbers derive from the name, so two instruments with the same name would have the same prices.
  if (all.filter((each) => each.symbol === symbol).length > 1) return "symbol";
  if (all.filter((each) => each.name === name).length > 1) return "name";
  if (prices === undefined) return null;
  if (!SYMBOL.test(symbol)) return "symbol";
  if (!NAME.test(name)) return "name";
  if (title === undefined || !isTitle(title)) return "title";
  if (Object.values(titles ?? {}).some((each) => !isTitle(each))) return "titles";
  if (!isDecimals(decimals)) return "decimals";
  return prices.source === "outside" ? wrongNames(prices) : wrongFigures(prices);
}

/**
 * Returns `symbol` if a version would leave out an instrument or turn it into another one; null otherwise. A proposal
 * can do that if someone else used its symbol after it was made.
 */
export function wrongIdentity(before: TradingConfig, after: TradingConfig): string | null {
  const kept = before.instruments.every((old) => {
    const now = after.instruments.find(({ symbol }) => symbol === old.symbol);
    return now !== undefined && String(identityFigures(now)) === String(identityFigures(old));
  });
  return kept ? null : "symbol";
}

function wrongNames({ names }: OutsidePrices): string | null {
  const all = Object.values(names);
  return all.length > 0 && all.every((each) => OUTSIDE_NAME.test(each)) ? null : "names";
}

function wrongFigures(prices: Exclude<InstrumentPrices, OutsidePrices>): string | null {
  const { anchor, sigma, spread, jump } = prices;
  if (anchor <= 0n || anchor > ANCHOR_MAX) return "anchor";
  const volatility = volatilityOfSigma(sigma);
  if (volatility < VOLATILITY.min || volatility > VOLATILITY.max) return "volatility";
  if (spread < 0n || spread * 100n > anchor) return "spread";
  if (!Number.isSafeInteger(jump) || jump < 0 || jump > JUMP_MAX) return "jump";
  return usualMove(prices) < USUAL_MOVE_MIN ? "decimals" : null;
}

function isDecimals(decimals: number): boolean {
  return Number.isSafeInteger(decimals) && decimals >= 0 && decimals <= DECIMALS_MAX;
}

function isTitle(title: string): boolean {
  return title === title.trim() && title.length > 1 && title.length <= TITLE_LENGTH_MAX;
}

/** Lists the figures that identify an added instrument, as names and texts that the second person reads. */
export function identityFigures(terms: InstrumentTerms): [string, string][] {
  const { name, title, titles, kind, decimals, staleExitMs, prices } = terms;
  return [
    ["name", name],
    ...(title === undefined ? [] : [["title", title] as [string, string]]),
    ...Object.entries(titles ?? {}).map(([language, text]): [string, string] => [`title ${language}`, text]),
    ["kind", kind],
    ["decimals", String(decimals)],
    ["staleExit", `${staleExitMs / 1_000n} s`],
    ...(prices === undefined ? [] : priceFigures(prices, decimals)),
  ];
}

function priceFigures(prices: InstrumentPrices, decimals: number): [string, string][] {
  if (prices.source === "outside") {
    return Object.entries(prices.names).map(([source, name]) => [`prices ${source}`, name]);
  }
  const { anchor, sigma, spread, jump, pull, switches } = prices;
  return [
    ["prices", "simulated"],
    ["anchor", formatPrice(anchor, decimals)],
    ["volatility", formatRate(volatilityOfSigma(sigma))],
    ["sigma", String(sigma)],
    ["spread", formatPrice(spread as Points, decimals)],
    ["jump", `${jump} of 65536, ${jumpsPerDay(jump).toFixed(1)} a day`],
    ["pull", String(pull)],
    ["switches", switches.join(" ")],
  ];
}
