import { FIRST_SM1_PARAMS, type Instant, isOpenThrough as isTradedThrough } from "@fairtick/domain";
import { type Config, ConfigError } from "../../platform/config.ts";
import type { Context } from "../../platform/context.ts";
import { readMix, readMixWitness } from "../log/index.ts";
import { createMixDesk } from "./epoch-mix.ts";
import { makeHistory, noHistory } from "./genesis.ts";
import { openInstrumentBook } from "./instrument-book.ts";
import { openMarketBeacon } from "./market-beacon.ts";
import { openSeeds, openSlotSigner } from "./market-keys.ts";
import type { Genesis } from "./market-rows.ts";
import { type Market, type MarketParts, runMarket, type WriterDesk } from "./run-market.ts";
import { type MarketPlan, planMarket } from "./plan-market.ts";
import { type IsOpenThrough, pauseOfTerms } from "./source-pauses.ts";
import { createComposedSource } from "./sources/composed-source.ts";
import type { ComposedInstrument } from "./sources/composer.ts";
import { openRealSources } from "./sources/open-real-sources.ts";
import { createRetiredEpochs } from "./sources/retired-epochs.ts";
import { createScriptedFeed } from "./sources/scripted-feed.ts";
import { createSimulatedSource } from "./sources/simulated-source.ts";
import type { TickSource } from "./sources/source.ts";

/**
 * Starts this deployment's market in this process, as configured. Returns at once; `started` resolves when ticks or seals are
 * being stored. The seeds of simulated epochs are in `dataDir/market`. Instruments that operators add start within a second or
 * two of their approval. Throws `ConfigError` for unavailable sources.
 * @param openClock opens the market's clock; tests hand in one that they can move
 */
export function startMarket(
  context: Pick<Context, "config" | "databases" | "bus" | "log" | "clock">,
  onTrouble?: (reason: string | undefined) => void,
  openClock?: MarketParts["openClock"],
): Market {
  const { config, databases, bus, log, clock } = context;
  const database = databases.market;
  const book = openInstrumentBook(database);
  const first = planMarket(config, book.known());
  const scriptUrl = config.marketScriptUrl;
  checkDeployment(first, config);
  const readBeacon = openMarketBeacon(context);
  const signer = openSlotSigner(config);
  const vault = openSeeds(config);
  const witnesses = config.witnesses.map(({ key }) => key);
  const mixes = createMixDesk(
    (epoch) => readMix(database, epoch),
    () => readMixWitness(database, witnesses),
  );
  async function openSources(desk: WriterDesk): Promise<TickSource[]> {
    const { simulated, real, scripted, leftOut } = planMarket(config, await book.read());
    for (const { symbol, why } of leftOut) log.error({ symbol, why }, "an added instrument has no prices here");
    const sources: TickSource[] = [];
    const beacon = await readBeacon();
    if (simulated.length > 0) {
      sources.push(createSimulatedSource({ database, log, vault, instruments: simulated, mixes, beacon, ...desk }));
    } else {
      sources.push(createRetiredEpochs({ database, log, vault, beacon, ...desk }));
    }
    if (real.instruments.length > 0) {
      sources.push(openRealSources(real, { settings: config, database, clock, log, now: desk.now }));
    }
    if (scriptUrl !== null && scripted.length > 0) {
      sources.push(openScriptedSource(scripted, scriptUrl, { clock, log }));
    }
    return sources;
  }

  const hasNews = () => book.hasNews();
  const termsOf = (symbol: string) => book.known().find((each) => each.symbol === symbol);
  const pauseOf = (symbol: string) => pauseOfTerms(termsOf(symbol)?.staleExitMs);
  const isOpenThrough: IsOpenThrough = (symbol, from, to) => {
    const terms = termsOf(symbol);
    return terms !== undefined && isTradedThrough(terms, from, to);
  };
  const given = { ...(onTrouble && { onTrouble }), ...(openClock && { openClock }) };
  return runMarket({
    database,
    bus,
    log,
    clock,
    genesis: (symbol, end) => genesisOf(symbol, end, first),
    openSources,
    hasNews,
    isOpenThrough,
    pauseOf,
    signer,
    ...given,
  });
}

/** Throws `ConfigError` for sources that this deployment may not use. */
function checkDeployment(
  { scripted, simulated }: MarketPlan,
  { deployment, marketScriptUrl }: Pick<Config, "deployment" | "marketScriptUrl">,
): void {
  if (scripted.length > 0 && (marketScriptUrl === null || deployment === "live")) {
    throw new ConfigError("MARKET_SOURCES: scripted needs MARKET_SCRIPT_URL, and a sandbox.");
  }
  if (simulated.length > 0 && deployment === "live") {
    throw new ConfigError("MARKET_SOURCES: live refuses the simulated market.");
  }
}

function openScriptedSource(
  scripted: MarketPlan["scripted"],
  url: string,
  { clock, log }: Pick<Context, "clock" | "log">,
): TickSource {
  // A test's script may jump to any price.
  const instruments = scripted.map(({ symbol, decimals }): ComposedInstrument => {
    return { symbol, decimals, band: null, quorum: 1, agreement: null };
  });
  return createComposedSource({ feeds: [createScriptedFeed({ url, log })], instruments, clock, log });
}

/** Makes a full history for simulated instruments of the first configuration. Added and real ones start without any. */
function genesisOf(symbol: string, end: Instant, first: MarketPlan): Genesis {
  const params = FIRST_SM1_PARAMS.find((each) => each.symbol === symbol);
  return params && !first.isReal(symbol) ? makeHistory(params, end) : noHistory(symbol, end);
}
