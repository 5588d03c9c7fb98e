import { merkleTree, toHex, utf8, type Canonical, type Hashes, type Points, type Tick } from "@fairtick/domain";
import { toBase64 } from "./base64.ts";
import { formatMinuteQuotes } from "./quote-book.ts";
import { byMinute, START } from "./testing-house.ts";
import {
  PYTH_EMITTER,
  pythMessage,
  pythTree,
  signVaa,
  testGuardians,
  type TestPrice,
  type TestVaa,
} from "./testing-pyth.ts";
import { quoteHash, quoteLine, sourcesText, type SignedQuote } from "./tick-quotes.ts";

// For tests: the signed quotes of an instrument's ticks, as a house keeps and publishes them.

const ID = "e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43";
const DIGITS = 2;
/** Number of ticks that share one Pyth update. */
const TOGETHER = 20;
const house = testGuardians(5, 3);

export interface QuotedSymbol {
  readonly symbol: string;
  /** Changes the price that is signed for the tick with that number. */
  readonly bend?: (price: TestPrice, seq: bigint) => TestPrice;
  readonly bendVaa?: (vaa: TestVaa) => TestVaa;
  /** Changes the sources in a tick's line. */
  readonly bendSources?: (sources: Map<string, Points>, seq: bigint) => Map<string, Points>;
  readonly params?: Readonly<Record<string, Canonical>>;
  /** True if the params don't say how far quotes may go back, as in logs of former houses. */
  readonly isFormer?: boolean;
  /**
   * True if every tick's line names its sources, as in current logs; else only lines of ticks with a signed quote do.
   */
  readonly tellsAll?: boolean;
  /** Changes a tick's line. If it returns null, the tick's minute is published without quotes. */
  readonly bendLine?: (line: string, tick: Tick) => string | null;
}

export interface Quotes {
  readonly symbol: string;
  readonly params: Readonly<Record<string, Canonical>>;
  readonly files: ReadonlyMap<string, string>;
  rootOf(symbol: string, minute: bigint): Uint8Array | null;
  /** Returns a tick's line, path and quote as in a receipt. */
  shown(tick: Tick): Record<string, unknown>;
}

/** Returns whether a tick has a signed quote: four of five do, and none from the third minute on, as if Pyth failed. */
function isQuoted({ seq }: Tick): boolean {
  return seq % 5n !== 0n && seq <= 240n;
}

export function makeQuotes(hashes: Hashes, quoted: QuotedSymbol, ticks: ReadonlyMap<string, readonly Tick[]>): Quotes {
  const all = ticks.get(quoted.symbol) ?? [];
  const quotes = new Map<bigint, SignedQuote>();
  for (let from = 0; from < all.length; from += TOGETHER) {
    const held = all.slice(from, from + TOGETHER).filter(isQuoted);
    if (held.length === 0) continue;
    const messages = held.map(({ seq, time, price }) => {
      const said: TestPrice = { id: ID, price, conf: price / 5_000n, expo: -DIGITS, publishTime: time / 1000n };
      return pythMessage(quoted.bend?.(said, seq) ?? said);
    });
    const { root, leaves } = pythTree(messages);
    const wanted: TestVaa = { slot: BigInt(from + 1), root };
    const vaa = signVaa(house, quoted.bendVaa?.(wanted) ?? wanted);
    for (const [place, { seq }] of held.entries()) {
      const leaf = leaves[place];
      if (leaf !== undefined) quotes.set(seq, { vaa, ...leaf });
    }
  }

  function lineOf({ seq, price }: Tick): string {
    const quote = quotes.get(seq);
    const honest = new Map([
      ["binance", (price - 30n) as Points],
      ["kraken", (price + 7n) as Points],
      ["pyth", price],
    ]);
    if (quote !== undefined) {
      const sources = quoted.bendSources?.(honest, seq) ?? honest;
      return quoteLine(seq, { sources: sourcesText(sources), hash: quoteHash(hashes, quote) });
    }
    if (quoted.tellsAll !== true) return quoteLine(seq, null);
    // Pyth is silent, and the mean of the two others is the tick.
    const two = new Map([
      ["binance", (price - 4n) as Points],
      ["kraken", (price + 5n) as Points],
    ]);
    return quoteLine(seq, { sources: sourcesText(two), hash: null });
  }

  const bent = (tick: Tick) => (quoted.bendLine === undefined ? lineOf(tick) : quoted.bendLine(lineOf(tick), tick));

  const minutes = new Map(
    [...byMinute(all)].map(([minute, held]) => {
      const all = held.map(bent);
      const lines = all.map((line, place) => line ?? quoteLine(held[place]?.seq ?? 0n, null));
      return [
        minute,
        {
          held,
          lines,
          isTold: all.every((line) => line !== null) && (quoted.tellsAll === true || held.some(isQuoted)),
          tree: merkleTree(
            hashes,
            lines.map((line) => utf8(line)),
          ),
        },
      ] as const;
    }),
  );
  const files = [...minutes].map(([minute, { held, lines }]) => {
    const mine = held.flatMap(({ seq }) => quotes.get(seq) ?? []);
    const vaas = [...new Set(mine.map(({ vaa }) => toBase64(vaa)))];
    const text = formatMinuteQuotes({
      lines,
      places: held.map(({ seq }) => {
        const quote = quotes.get(seq);
        return quote === undefined ? null : mine.indexOf(quote);
      }),
      quotes: mine.map(({ vaa, message, branch }) => ({
        branch: toBase64(branch),
        message: toBase64(message),
        vaa: vaas.indexOf(toBase64(vaa)),
      })),
      vaas,
    });
    return [`quotes/${quoted.symbol}/${minute}`, text] as const;
  });
  const { signers } = house;
  const rootOfMinute = (time: bigint) => {
    const minute = minutes.get(time);
    return minute?.isTold === true ? minute.tree.root : null;
  };
  return {
    symbol: quoted.symbol,
    files: new Map(files),
    params: {
      ageMax: 10_000,
      aheadMax: 5_000,
      ...(quoted.isFormer !== true && { backMax: 0 }),
      chain: signers.chain,
      emitter: toHex(PYTH_EMITTER),
      feeds: { [quoted.symbol]: { confMax: 2_500, digits: DIGITS, id: ID } },
      guardians: signers.guardians.map(toHex),
      quorum: signers.quorum,
      set: signers.set,
      since: START - 60_000n,
      ...quoted.params,
    },
    rootOf: (symbol, minute) => (symbol === quoted.symbol ? rootOfMinute(minute) : null),
    shown(tick) {
      const minute = minutes.get((tick.time / 60_000n) * 60_000n);
      const place = minute?.held.findIndex(({ seq }) => seq === tick.seq) ?? -1;
      const quote = quotes.get(tick.seq);
      return {
        line: minute?.lines[place] ?? "",
        path: minute?.tree.pathOf(place).map(toHex) ?? [],
        quote:
          quote === undefined
            ? null
            : { branch: toBase64(quote.branch), message: toBase64(quote.message), vaa: toBase64(quote.vaa) },
      };
    },
  };
}
