import { fromHex } from "@fairtick/domain";
import type { PythSigners } from "@fairtick/transparency";
import * as v from "valibot";

/** Where Pyth's signed prices come from, and who has to sign them. */
export interface PythSettings {
  readonly url: string;
  readonly key: string | null;
  readonly signers: PythSigners | null;
}

const URL_RULE = "is to be an address with its scheme, as in wss://host/path or https://host/path";
const KRAKEN_URL = "wss://ws.kraken.com/v2";
/** Binance's address for market data only, without accounts. */
const BINANCE_URL = "wss://data-stream.binance.vision/ws";
/** Pyth's own address, which requires a key since August 2026. Others serve the same signed updates. */
const PYTH_URL = "https://pyth.dourolabs.app/hermes";
const RULE =
  'is to be who signs, like {"set":4,"quorum":13,"guardians":["58cc…","ff6c…"]} with addresses of 40 hexadecimal digits';

/** Wormhole's number for Pythnet, and Pyth's emitter there. */
const PYTHNET = 26;
const EMITTER = "e101faedac5851e32b9b23b5f9411a8c2bac4aae3ed4dd7b811dd1a72ea4aa71";

const bytes = (length: number) =>
  v.pipe(
    v.string(RULE),
    v.transform((text) => fromHex(text.replace(/^0x/, "")) ?? new Uint8Array()),
    v.check((read) => read.length === length, RULE),
  );
const small = (min: number, max: number) =>
  v.pipe(v.number(RULE), v.integer(RULE), v.minValue(min, RULE), v.maxValue(max, RULE));

/** Parses `PYTH_GUARDIANS`, more than half of whom have to sign. */
const signers = v.pipe(
  v.string(),
  v.parseJson(undefined, RULE),
  v.strictObject(
    {
      set: small(0, 0xffff_ffff),
      quorum: small(1, 255),
      guardians: v.pipe(v.array(bytes(20), RULE), v.minLength(1, RULE), v.maxLength(255, RULE)),
      chain: v.optional(small(0, 0xffff), PYTHNET),
      emitter: v.optional(bytes(32), EMITTER),
    },
    RULE,
  ),
  v.check(({ quorum, guardians }) => quorum <= guardians.length && quorum * 2 > guardians.length, RULE),
);

const url = v.pipe(v.string(), v.url(URL_RULE));

/** The environment's settings for outside price sources. */
export const sourceEnvironment = {
  KRAKEN_URL: v.optional(url, KRAKEN_URL),
  BINANCE_URL: v.optional(url, BINANCE_URL),
  PYTH_URL: v.optional(url, PYTH_URL),
  PYTH_KEY: v.optional(v.pipe(v.string(), v.minLength(1))),
  PYTH_GUARDIANS: v.optional(signers),
};

interface Given {
  readonly PYTH_URL: string;
  readonly PYTH_KEY?: string | undefined;
  readonly PYTH_GUARDIANS?: PythSigners | undefined;
}

export function pythOf({ PYTH_URL: given, PYTH_KEY: key, PYTH_GUARDIANS: who }: Given): PythSettings {
  return { url: given.replace(/\/$/, ""), key: key ?? null, signers: who ?? null };
}

/** Lists in words the sources that aren't the real ones. Unsigned prices have to come from the exchange itself, and a key mustn't be sent unencrypted. */
export function sourceStandIns(config: {
  readonly krakenUrl: string;
  readonly binanceUrl: string;
  readonly pyth: PythSettings;
}): string[] {
  const parts: string[] = [];
  if (config.krakenUrl !== KRAKEN_URL) parts.push(`KRAKEN_URL is not the exchange's own address, ${KRAKEN_URL}`);
  if (config.binanceUrl !== BINANCE_URL) parts.push(`BINANCE_URL is not the exchange's own address, ${BINANCE_URL}`);
  if (!config.pyth.url.startsWith("https:")) parts.push("PYTH_URL is not https");
  return parts;
}

/** Returns the names of the sources in MARKET_SOURCES. */
export function sourcesOf(marketSources: string): ReadonlySet<string> {
  return new Set(marketSources.split(",").map((part) => part.split("=").at(-1)?.trim() ?? ""));
}

/** Whether any instrument's prices are simulated by the house instead of read from outside. */
export function hasMadePrices(marketSources: string): boolean {
  const sources = sourcesOf(marketSources);
  return sources.has("simulated") || sources.has("scripted");
}
