import { quoteLine } from "@fairtick/transparency";
import { DAY_MS } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import type { ToldTicks } from "./quote-file.ts";

const MINUTE_MS = 60_000n;

/** The quotes behind a tick. The signed quote's parts are null if no signed quote counted. */
export interface QuoteRow {
  readonly seq: bigint;
  readonly sources: string;
  readonly hash: Uint8Array | null;
  readonly message: Uint8Array | null;
  readonly branch: Uint8Array | null;
  readonly vaa: Uint8Array | null;
}

/** Reads the stored quotes of a minute's ticks, by the tick's number. */
export async function readQuoteRows(
  database: Queryable,
  symbol: string,
  time: bigint,
): Promise<ReadonlyMap<bigint, QuoteRow>> {
  const rows = await database.query<QuoteRow>(
    `SELECT t.seq, t.sources, q.hash, q.message, q.branch, u.vaa
     FROM tick_quotes t LEFT JOIN pyth_quotes q ON q.day = $4 AND q.hash = t.quote_hash
     LEFT JOIN pyth_updates u ON u.day = $4 AND u.hash = q.update_hash
     WHERE t.symbol = $1 AND t.time >= $2 AND t.time < $3 ORDER BY t.time`,
    [symbol, time, time + MINUTE_MS, time / DAY_MS],
    "log_quotes",
  );
  return new Map(rows.map((row) => [row.seq, row]));
}

/** Returns a minute's ticks, given by their numbers, with their stored quotes. */
export function toldTicks(seqs: readonly bigint[], rows: ReadonlyMap<bigint, QuoteRow>): ToldTicks {
  return seqs.map((seq) => {
    const row = rows.get(seq);
    const { message, branch, vaa } = row ?? {};
    const quote =
      message && branch && vaa ? { branch: base64(branch), message: base64(message), vaa: base64(vaa) } : null;
    return { line: quoteLine(seq, row ?? null), quote };
  });
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
