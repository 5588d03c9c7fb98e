import type { Tick } from "@fairtick/domain";
import { parsePriceLines } from "./acceptance.ts";
import type { LogEntryOf } from "./log-entry.ts";
import type { Evidence } from "./receipt-evidence.ts";
import { checkLogged } from "./verifier-policy.ts";

/** The log's entry for the minute of a receipt's tick. */
export type Minute =
  | { readonly state: "ok" | "pending"; readonly entry: LogEntryOf<"ticks"> | null; readonly index: number | null }
  | { readonly state: "failed"; readonly why: string };

/** Finds the `ticks` entry for a tick's minute. `entry` is null while the minute is not over. */
export function minuteOf({ hashes, receipt, order, policy }: Evidence, tick: Tick): Minute {
  const held = receipt.minutes.find(({ lines }) => parsePriceLines(lines)?.some(({ seq }) => seq === tick.seq));
  if (held === undefined) return { state: "failed", why: "the tick's minute is not shown" };
  if (held.logged === null) return { state: "pending", entry: null, index: null };
  const fact = checkLogged(hashes, "ticks", held.logged, policy);
  if (fact.state === "failed") return { state: "failed", why: fact.why };
  const { entry } = fact;
  if (entry.symbol !== order?.symbol || tick.seq < BigInt(entry.from) || tick.seq > BigInt(entry.to)) {
    return { state: "failed", why: "the log's minute is another" };
  }
  return { state: fact.state, entry, index: fact.state === "ok" ? fact.index : null };
}
