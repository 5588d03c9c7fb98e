import { canonicalJson, type Instant, type InstrumentTerms, toHex } from "@fairtick/domain";
import type { PythSigners } from "@fairtick/transparency";
import type { Database } from "../../../platform/database.ts";
import { insertEntry } from "../sm1-rows.ts";

/** Requirements on Pyth's quotes of an instrument. */
export interface PythInstrument {
  readonly symbol: string;
  /** The feed's id, 64 hexadecimal digits. */
  readonly id: string;
  readonly digits: number;
  /** The widest confidence interval allowed, in millionths of the price. */
  readonly confMax: number;
}

/** 0.1 % and 0.25 %: half and a quarter of the distance that a source may have from the median. */
const CONF_MAX = { fx: 1_000, crypto: 2_500 };
/** How old a quote may be at its tick: its age on arrival, the time it counts as fresh, and the difference of two clocks. */
const AGE_MS_MAX = 10_000;
const AHEAD_MS_MAX = 5_000;
/** Quotes never go back: the composer orders them, and a market that starts continues after the newest stored one. */
const BACK_MS_MAX = 0;

/** Pyth's price feeds by our names (docs.pyth.network, price feed ids). */
const FEEDS: ReadonlyMap<string, string> = new Map([
  ["EUR/USD", "a995d00bb36a63cef7fd2c287dc105fc8f3d93779f062f09551b0af3e81ec30b"],
  ["GBP/USD", "84c2dde9633d93d1bcad84e7dc41c9d56578b7ec52fabedc1f335d673df0a7c1"],
  ["USD/JPY", "ef2c98c804ba503c6a707e38be4dfbb16683775f195b091252bf24693042fd52"],
  ["AUD/USD", "67a6f93030420c1c9e3fe37c1ab6b77966af82f995944a9fefce357a22854a80"],
  ["USD/CHF", "0b1e3297e69f162877b577b0d6a47a0d63b2392bc8499e6540da4187a63e28f8"],
  ["USD/CAD", "3112b03a41c910ed446852aacf67118cb1bec67b2cd0b9a214c58cc0eaa2ecca"],
  ["XAU/USD", "765d2ba906dbc32ca17cc11f5310a89e9ee1f6420508c63861f2f8ba4ee34bb2"],
  ["BTC/USD", "e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43"],
  ["ETH/USD", "ff61491a931112ddf1bd8147cd1b641375f79f5825126d665480874634fd0ace"],
  ["SOL/USD", "ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d"],
  ["XRP/USD", "ec5d399846a9209f3fe5881d70aae9268c94339ff9817e8d18ff19fa05eea1c8"],
  ["DOGE/USD", "dcef50dd0a4cd2dcc17e45df1676dcb336a11a61c69df7a0299b0150c672d25c"],
]);

/** Returns the id of the feed for an instrument; null if none is known. */
export function pythFeedId({ name }: Pick<InstrumentTerms, "name">): string | null {
  return FEEDS.get(name) ?? null;
}

export function pythInstrument(
  terms: Pick<InstrumentTerms, "symbol" | "name" | "decimals" | "kind">,
  id = pythFeedId(terms),
): PythInstrument | null {
  return id === null ? null : { symbol: terms.symbol, id, digits: terms.decimals, confMax: CONF_MAX[terms.kind] };
}

/** Writes into the log who has to sign, unless the newest such entry already says the same. In force from `now` on. */
export async function logPythParams(
  database: Database,
  signers: PythSigners,
  instruments: Iterable<PythInstrument>,
  now: Instant,
): Promise<void> {
  const feeds = [...instruments].map(({ symbol, id, digits, confMax }) => [symbol, { confMax, digits, id }] as const);
  const fields = {
    ageMax: AGE_MS_MAX,
    aheadMax: AHEAD_MS_MAX,
    backMax: BACK_MS_MAX,
    chain: signers.chain,
    emitter: toHex(signers.emitter),
    feeds: Object.fromEntries(feeds),
    guardians: signers.guardians.map(toHex),
    quorum: signers.quorum,
    set: signers.set,
  };
  await database.transaction(async (transaction) => {
    const [last] = await transaction.query<{ entry: string }>(
      "SELECT entry FROM outbox WHERE kind = 'params.pyth' ORDER BY outbox_id DESC LIMIT 1",
    );
    const since = /"since":([0-9]+),/.exec(last?.entry ?? "")?.[1];
    if (
      since !== undefined &&
      last?.entry === canonicalJson({ ...fields, kind: "params.pyth", since: BigInt(since), v: 1 })
    )
      return;
    await insertEntry(transaction, "params.pyth", { ...fields, since: now });
  });
}
