import { FIRST_SM1_PARAMS, type InstrumentTerms, sm1ParamsOf, type Sm1Params } from "@fairtick/domain";
import type { Config } from "../../platform/config.ts";
import { hasMadePrices, sourcesOf } from "../../platform/source-settings.ts";
import { planSources, REAL_SOURCES, type RealSource, type SourceName } from "./source-plan.ts";
import { checkSigners, nameAt, planRealMarket, type RealMarket } from "./sources/open-real-sources.ts";

type Settings = Pick<Config, "deployment" | "marketSources" | "marketQuorum" | "krakenUrl" | "binanceUrl" | "pyth">;

/** Which sources make the prices of which instruments. */
export interface MarketPlan {
  readonly simulated: readonly Sm1Params[];
  readonly real: RealMarket;
  readonly scripted: readonly InstrumentTerms[];
  /** Added instruments that these settings have no source for. They are sealed but get no prices. */
  readonly leftOut: readonly { readonly symbol: string; readonly why: string }[];
  isReal(symbol: string): boolean;
}

/**
 * Plans the market. Throws `ConfigError` if the settings don't fit the instruments of the first configuration. An instrument
 * that operators added is left out instead, so that it can't stop all others.
 */
export function planMarket(config: Settings, instruments: readonly InstrumentTerms[]): MarketPlan {
  const leftOut = instruments.flatMap((terms) => {
    const field = wrongSource(config, terms, instruments);
    return field === null ? [] : [{ symbol: terms.symbol, why: `these settings have no such source: ${field}` }];
  });
  const isOut = new Set(leftOut.map(({ symbol }) => symbol));
  const mine = instruments.filter(({ symbol }) => !isOut.has(symbol));
  const plan = planSources(config.marketSources, mine);
  const servedBy = (source: SourceName) => mine.filter(({ symbol }) => plan.get(symbol)?.includes(source));
  const real = planRealMarket(mine, plan, config.marketQuorum);
  checkSigners(real, config);
  const first = new Map(FIRST_SM1_PARAMS.map((params) => [params.symbol, params]));
  return {
    simulated: servedBy("simulated").flatMap((terms) => sm1ParamsOf(terms) ?? first.get(terms.symbol) ?? []),
    real,
    scripted: servedBy("scripted"),
    leftOut,
    isReal: (symbol) => real.sourcesOf.has(symbol),
  };
}

/** Sources that operators may choose for a new instrument of this deployment: those that `MARKET_SOURCES` names. */
export interface OfferedSources {
  /** Always false in `live`, which refuses simulated prices. */
  readonly simulated: boolean;
  readonly outside: readonly RealSource[];
}

export function offeredSources({ deployment, marketSources }: Settings): OfferedSources {
  const named = new Set([...sourcesOf(marketSources)].flatMap((part) => part.split("+").map((name) => name.trim())));
  return {
    simulated: deployment !== "live" && hasMadePrices(marketSources),
    outside: REAL_SOURCES.filter((name) => named.has(name)),
  };
}

const PYTH_ID = /^[0-9a-f]{64}$/;

/**
 * Returns the field of an added instrument's price source that doesn't fit this deployment. `source`: the deployment has no
 * source of this kind. `names`: an outside source is not one of the deployment's, can't price the name, or already prices
 * another instrument by it, or there are too few sources to agree. Null if all is well, and for instruments of the first
 * configuration.
 */
export function wrongSource(
  config: Settings,
  terms: InstrumentTerms,
  all: readonly InstrumentTerms[],
): "source" | "names" | null {
  const { prices } = terms;
  if (prices === undefined) return null;
  const offered = offeredSources(config);
  if (prices.source === "simulated") return offered.simulated ? null : "source";
  if (offered.outside.length === 0) return "source";
  const sources = offered.outside.filter((name) => Object.hasOwn(prices.names, name));
  if (sources.length === 0 || sources.length !== Object.keys(prices.names).length) return "names";
  if (sources.length > 1 && sources.length < config.marketQuorum) return "names";
  const others = all.filter(({ symbol }) => symbol !== terms.symbol);
  const isWrong = sources.some((source) => {
    const name = nameAt(source, terms);
    if (source === "binance" && terms.kind !== "crypto") return true;
    if (source === "pyth" && (config.pyth.signers === null || !PYTH_ID.test(name ?? ""))) return true;
    // A source's quotes under one name can go to only one instrument.
    return others.some((other) => nameAt(source, other) === name);
  });
  return isWrong ? "names" : null;
}
