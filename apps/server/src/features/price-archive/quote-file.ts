import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type FileMinute, sha256 } from "./price-file.ts";

const compress = promisify(gzip);

/** A quote with the update that signs it. Texts are in base 64. */
export interface FiledQuote {
  readonly branch: string;
  readonly message: string;
  readonly vaa: string;
}

/** The quote line of each of a minute's ticks, with the signed quote that it names. */
export type ToldTicks = readonly { readonly line: string; readonly quote: FiledQuote | null }[];

/** The quotes behind a minute's ticks of several instruments. Updates that they share are stored once. */
export interface SharedMinute {
  readonly symbols: Readonly<
    Record<string, { readonly lines: readonly string[]; readonly places: readonly (number | null)[] }>
  >;
  readonly quotes: readonly { readonly branch: string; readonly message: string; readonly vaa: number }[];
  readonly vaas: readonly string[];
}

/** An hour's minutes, each as a separate gzip member. */
export interface QuoteFile {
  readonly hash: Buffer;
  readonly bytes: Buffer;
  readonly minutes: readonly number[];
  readonly ends: readonly number[];
}

export function shareMinute(symbols: ReadonlyMap<string, ToldTicks>): SharedMinute {
  const [quotes, vaas] = [new Map<string, number>(), new Map<string, number>()];
  const shared: SharedMinute["quotes"][number][] = [];
  const placeOf = (quote: FiledQuote): number => {
    const name = `${quote.message} ${quote.vaa}`;
    const known = quotes.get(name);
    if (known !== undefined) return known;
    const vaa = vaas.get(quote.vaa) ?? vaas.size;
    vaas.set(quote.vaa, vaa);
    quotes.set(name, shared.length);
    return shared.push({ branch: quote.branch, message: quote.message, vaa }) - 1;
  };
  const told = [...symbols].map(([symbol, ticks]) => {
    const places = ticks.map(({ quote }) => (quote === null ? null : placeOf(quote)));
    return [symbol, { lines: ticks.map(({ line }) => line), places }] as const;
  });
  return { quotes: shared, symbols: Object.fromEntries(told), vaas: [...vaas.keys()] };
}

/** Returns one instrument's ticks in a minute; null if it has none. */
export function ticksIn({ symbols, quotes, vaas }: SharedMinute, symbol: string): ToldTicks | null {
  const held = symbols[symbol];
  if (held === undefined) return null;
  return held.lines.map((line, index) => {
    const quote = quotes[held.places[index] ?? -1];
    return { line, quote: quote === undefined ? null : { ...quote, vaa: vaas[quote.vaa] ?? "" } };
  });
}

/** Makes a file of an hour's minutes. The same minutes give the same bytes, and so the same name. */
export async function makeQuoteFile(minutes: readonly FileMinute[]): Promise<QuoteFile> {
  const parts: Buffer[] = [];
  const ends: number[] = [];
  let length = 0;
  for (const { lines } of minutes) {
    const part = await compress(`${lines}\n`, { level: 6 });
    parts.push(part);
    length += part.length;
    ends.push(length);
  }
  const bytes = Buffer.concat(parts);
  return { hash: sha256(bytes), bytes, minutes: minutes.map(({ minute }) => minute), ends };
}
