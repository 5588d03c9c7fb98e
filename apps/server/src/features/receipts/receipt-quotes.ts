import { merkleTree, type Tick, toHex, utf8 } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { Queryable } from "../../platform/database.ts";
import { tickQuote } from "../log/index.ts";
import type { PriceArchive } from "../price-archive/index.ts";
import type { LoggedEntries, LoggedEntry } from "./logged-entries.ts";

export interface QuoteView {
  readonly line: string;
  readonly path: readonly string[];
  readonly quote: { readonly branch: string; readonly message: string; readonly vaa: string } | null;
  /** Null if no signed price was used. */
  readonly params: LoggedEntry | null;
}

/**
 * Returns the outside prices that entry and exit were composed of, and who must have signed the signed ones. Null if
 * the log says nothing about it, and while the minutes aren't over.
 */
export async function quotesOf(
  database: Queryable,
  archive: PriceArchive,
  entries: LoggedEntries,
  symbol: string,
  ticks: readonly Tick[],
): Promise<QuoteView[] | null> {
  const shown: QuoteView[] = [];
  for (const tick of ticks) {
    const found = await tickQuote(database, archive, symbol, tick);
    if (found === null) continue;
    const { line, lines, place, quote } = found;
    const params = quote && (await entries.findNotAfter("params.pyth", tick.time));
    const tree = merkleTree(
      nodeHashes,
      lines.map((each) => utf8(each)),
    );
    shown.push({ line, path: tree.pathOf(place).map(toHex), quote, params });
  }
  return shown.length === 0 ? null : shown;
}
