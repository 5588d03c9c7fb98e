import { FIRST_SM1_PARAMS, firstTradingConfig, type Instant } from "@fairtick/domain";
import { ConfigError } from "../../platform/config.ts";
import type { Context } from "../../platform/context.ts";
import { readMix, readMixWitness } from "../log/index.ts";
import { createMixDesk } from "./epoch-mix.ts";
import { makeHistory, noHistory } from "./genesis.ts";
import { openSeeds, openSlotSigner } from "./market-keys.ts";
import type { Genesis } from "./market-rows.ts";
import { type Market, runMarket, type WriterDesk } from "./run-market.ts";
import { readSourcePlan, type SourceName } from "./source-plan.ts";
import { createComposedSource } from "./sources/composed-source.ts";
import type { ComposedInstrument } from "./sources/composer.ts";
import { checkSigners, openRealSources, planRealMarket } from "./sources/open-real-sources.ts";
import { createRetiredEpochs } from "./sources/retired-epochs.ts";
import { createScriptedFeed } from "./sources/scripted-feed.ts";
import { createSimulatedSource } from "./sources/simulated-source.ts";
import type { TickSource } from "./sources/source.ts";

/**
 * Runs the market of this deployment as configured, in this process: the seeds of its simulated part lie in
 * `dataDir/market`. Answers at once; `started` resolves when ticks or seals are being stored.
 * Throws `ConfigError` for sources that are not there.
 */
export function startMarket(
  context: Pick<Context, "config" | "databases" | "bus" | "log" | "clock">,
  onTrouble?: (reason: string | undefined) => void,
): Market {
  const { config, databases, bus, log, clock } = context;
  const database = databases.market;
  // Names, kinds and places of instruments never change, so those of the first configuration hold.
  const { instruments } = firstTradingConfig(0n as Instant);
  const plan = readSourcePlan(
    config.marketSources,
    instruments.map((terms) => terms.symbol),
  );
  const servedBy = (source: SourceName) => instruments.filter((terms) => plan.get(terms.symbol)?.includes(source));
  const simulated = servedBy("simulated");
  const real = planRealMarket(instruments, plan, config.marketQuorum);
  checkSigners(real, config);
  const isReal = new Set(real.instruments.map(({ symbol }) => symbol));
  const scripted = servedBy("scripted");
  const scriptUrl = config.marketScriptUrl;
  if (scripted.length > 0 && (scriptUrl === null || config.deployment === "live")) {
    throw new ConfigError("MARKET_SOURCES: scripted needs MARKET_SCRIPT_URL, and a sandbox.");
  }
  if (simulated.length > 0 && config.deployment === "live") {
    throw new ConfigError("MARKET_SOURCES: live refuses the simulated market.");
  }
  const signer = openSlotSigner(config);
  const vault = openSeeds(config);
  const witnesses = config.witnesses.map(({ key }) => key);
  const mixes = createMixDesk(
    (epoch) => readMix(database, epoch),
    () => readMixWitness(database, witnesses),
  );
  const made = new Map(FIRST_SM1_PARAMS.map((params) => [params.symbol, params]));

  function openSources(desk: WriterDesk): TickSource[] {
    const sources: TickSource[] = [];
    if (simulated.length > 0) {
      const mine = simulated.flatMap((terms) => made.get(terms.symbol) ?? []);
      sources.push(createSimulatedSource({ database, log, vault, instruments: mine, mixes, ...desk }));
    } else {
      sources.push(createRetiredEpochs({ database, log, vault, ...desk }));
    }
    if (real.instruments.length > 0) {
      sources.push(openRealSources(real, { settings: config, database, clock, log, now: desk.now }));
    }
    if (scriptUrl !== null && scripted.length > 0) {
      // A script may jump as its test wants.
      const composed = scripted.map(({ symbol, decimals }): ComposedInstrument => {
        return { symbol, decimals, band: null, quorum: 1, agreement: null };
      });
      const feed = createScriptedFeed({ url: scriptUrl, log });
      sources.push(createComposedSource({ feeds: [feed], instruments: composed, clock, log }));
    }
    return sources;
  }

  /** Charts of made prices are full from the start; a real source's instrument starts with nothing. */
  function genesis(symbol: string, end: Instant): Genesis {
    const params = made.get(symbol);
    return params && !isReal.has(symbol) ? makeHistory(params, end) : noHistory(symbol, end);
  }

  return runMarket({ database, bus, log, clock, genesis, openSources, signer, ...(onTrouble && { onTrouble }) });
}
