import type { Clock, Instant, InstrumentTerms, Rate } from "@fairtick/domain";
import { type Config, ConfigError } from "../../../platform/config.ts";
import type { Database } from "../../../platform/database.ts";
import type { Log } from "../../../platform/log.ts";
import { REAL_SOURCES, type RealSource, type SourcePlan } from "../source-plan.ts";
import { createBinanceFeed } from "./binance-feed.ts";
import { createComposedSource } from "./composed-source.ts";
import type { ComposedInstrument } from "./composer.ts";
import type { Feed } from "./feed.ts";
import { createKrakenFeed } from "./kraken-feed.ts";
import { createPythFeed } from "./pyth-feed.ts";
import { logPythParams, pythFeedId, pythInstrument, type PythInstrument } from "./pyth-params.ts";
import { readSignedOrders } from "./signed-order.ts";
import type { TickSource } from "./source.ts";

type Terms = Pick<InstrumentTerms, "symbol" | "name" | "decimals" | "kind" | "prices">;
type Settings = Pick<Config, "krakenUrl" | "binanceUrl" | "pyth">;

export interface RealSourceParts {
  readonly settings: Settings;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the market's time. */
  readonly now: () => Instant;
}

/** A jump beyond this has to last before it is accepted: 1 % for currencies and metals, 5 % for digital assets. */
const BANDS = { fx: 10_000n as Rate, crypto: 50_000n as Rate };
/** A source further than this from the median of the fresh ones is left out: 0.2 % and 1 %. Verifiers use the same limits (tick-quotes.ts). */
const AGREEMENTS = { fx: 2_000n as Rate, crypto: 10_000n as Rate };

/** Each source's name for an instrument; null if it doesn't price it. */
const PAIRS: Readonly<Record<RealSource, (terms: Terms) => string | null>> = {
  kraken: ({ name }) => name,
  // Priced against Tether, since the exchange has no pairs against the dollar itself.
  binance: ({ name, kind }) => (kind === "crypto" ? `${name.split("/")[0] ?? ""}USDT` : null),
  pyth: pythFeedId,
};

/** Returns a source's name for an instrument: the one given when the instrument was added, otherwise the source's own. */
export function nameAt(source: RealSource, terms: Terms): string | null {
  const { prices } = terms;
  if (prices === undefined) return PAIRS[source](terms);
  return prices.source === "outside" ? (prices.names[source] ?? null) : null;
}

/** What outside sources price, already checked. */
export interface RealMarket {
  readonly instruments: readonly ComposedInstrument[];
  /** For each source in use: its name for a pair → our symbol. */
  readonly pairs: ReadonlyMap<RealSource, ReadonlyMap<string, string>>;
  /** Symbol → names of its sources. */
  readonly sourcesOf: ReadonlyMap<string, readonly RealSource[]>;
  /** Requirements on signed quotes, for each feed of Pyth's in use. */
  readonly signed: ReadonlyMap<string, PythInstrument>;
}

export function planRealMarket(instruments: readonly Terms[], plan: SourcePlan, quorum: number): RealMarket {
  const composed: ComposedInstrument[] = [];
  const signed = new Map<string, PythInstrument>();
  const sourcesOf = new Map<string, readonly RealSource[]>();
  const pairs = new Map<RealSource, Map<string, string>>();
  for (const terms of instruments) {
    const sources = REAL_SOURCES.filter((name) => plan.get(terms.symbol)?.includes(name));
    if (sources.length === 0) continue;
    if (sources.length > 1 && sources.length < quorum) {
      throw new ConfigError(`MARKET_QUORUM: ${terms.symbol} has fewer sources than the ${quorum} that must agree.`);
    }
    sourcesOf.set(terms.symbol, sources);
    for (const source of sources) {
      const pair = nameAt(source, terms);
      if (pair === null) throw new ConfigError(`MARKET_SOURCES: ${source} does not price ${terms.symbol}.`);
      pairs.set(source, (pairs.get(source) ?? new Map<string, string>()).set(pair, terms.symbol));
    }
    const pyth = sources.includes("pyth") ? pythInstrument(terms, nameAt("pyth", terms)) : null;
    if (pyth !== null) signed.set(pyth.id, pyth);
    const { symbol, decimals, kind } = terms;
    const needed = sources.length > 1 ? quorum : 1;
    composed.push({ symbol, decimals, band: BANDS[kind], quorum: needed, agreement: AGREEMENTS[kind] });
  }
  return { instruments: composed, pairs, sourcesOf, signed };
}

/** Throws `ConfigError` if Pyth is in use but no guardians are named who have to sign its prices. */
export function checkSigners(market: RealMarket, { pyth }: Settings): void {
  if (market.signed.size > 0 && pyth.signers === null) {
    throw new ConfigError("MARKET_SOURCES: pyth needs PYTH_GUARDIANS, who must have signed its prices.");
  }
}

/** Opens one connection to each source. An instrument with several sources gets their median. */
export function openRealSources(market: RealMarket, parts: RealSourceParts): TickSource {
  const { settings, database, clock, log, now } = parts;
  const { instruments, sourcesOf, signed } = market;
  const { url, key, signers } = settings.pyth;
  const feeds: Feed[] = [];
  for (const [source, pairs] of market.pairs) {
    if (source === "kraken") feeds.push(createKrakenFeed({ url: settings.krakenUrl, pairs, log, clock }));
    else if (source === "binance") feeds.push(createBinanceFeed({ url: settings.binanceUrl, pairs, log, clock }));
    else if (signers !== null) feeds.push(createPythFeed({ url, key, signers, instruments: signed, log, clock }));
  }
  async function prepare(): Promise<void> {
    if (signers !== null && signed.size > 0) await logPythParams(database, signers, signed.values(), now());
  }
  const usedOrders = () => readSignedOrders(database, [...sourcesOf.keys()]);
  return createComposedSource({ feeds, instruments, sourcesOf, clock, log, prepare, usedOrders });
}
