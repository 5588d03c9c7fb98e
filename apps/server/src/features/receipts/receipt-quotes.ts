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
  readonly params: LoggedEntry;
}

/**
 * What entry and exit were composed of, where signed quotes had a say in their minutes, and who must have signed by then;
 * null where none had, or the minutes are not over.
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
    const params = found && (await entries.findNotAfter("params.pyth", tick.time));
    if (found === null || params === null) continue;
    const { line, lines, place, quote } = found;
    const tree = merkleTree(
      nodeHashes,
      lines.map((each) => utf8(each)),
    );
    shown.push({ line, path: tree.pathOf(place).map(toHex), quote, params });
  }
  return shown.length === 0 ? null : shown;
}
