import { utf8, verifyMerklePath, type Tick } from "@fairtick/domain";
import { parsePriceLines } from "./acceptance.ts";
import type { LogEntryOf } from "./log-entry.ts";
import { failed, ok, pending, type Answer, type Evidence } from "./receipt-evidence.ts";
import { parseQuoteLine, quoteFault, quoteRules, type QuoteLine } from "./tick-quotes.ts";
import { checkLogged, type LoggedFact } from "./verifier-policy.ts";

type Fact<Kind extends "ticks" | "params.pyth"> = Exclude<LoggedFact<Kind>, { state: "failed" }>;

/**
 * Where a signed quote had a say in entry or exit: it is signed by the guardians that the log pinned before, it says what the
 * tick was composed of, and the tick is the median. A tick without one has nothing to be checked.
 */
export function checkQuotes(evidence: Evidence): Answer {
  const { hashes, receipt, order, decision, policy } = evidence;
  if (receipt.source === "SM1") return ok({ signed: 0 });
  if (order === null || decision === null) return failed("order or prices are malformed");
  if (decision.state !== "decided") return pending("not decided yet");
  const values: Record<string, string | number> = { signed: 0 };
  let waiting: string | null = null;
  for (const tick of [decision.decided.entry, decision.decided.exit]) {
    if (tick === null) continue;
    const minute = minuteOf(evidence, tick);
    if (minute.state === "failed") return failed(minute.why, values);
    if (minute.state === "pending") waiting = "a minute is not in a checkpoint yet";
    if (minute.entry === null || minute.entry.quotes === undefined) continue;
    const shown = lineOf(evidence, minute.entry, minute.entry.quotes, tick);
    if (typeof shown === "string") return failed(shown, values);
    const { quoted, quote } = shown;
    if (quoted === null) continue;
    if (quote === null) return failed("the signed quote of a tick is left out", values);
    const params = checkLogged(hashes, "params.pyth", shown.params, policy);
    if (params.state === "failed") return failed(params.why, values);
    if (params.state === "pending") waiting = "who must sign is not in a checkpoint yet";
    const fault =
      orderFault(params, minute, tick) ??
      quoteFault(hashes, quoteRules(params.entry, order.symbol), tick, quoted, quote);
    if (fault !== null) return failed(fault, { ...values, tick: `${tick.seq}` });
    values["signed"] = Number(values["signed"]) + 1;
    values["set"] = params.entry.set;
    values["quorum"] = `${params.entry.quorum}/${params.entry.guardians.length}`;
    values[values["signed"] === 1 ? "first" : "second"] = [...quoted.sources]
      .map(([name, price]) => `${name} ${price}`)
      .join(" + ");
  }
  return waiting === null ? ok(values) : pending(waiting, values);
}

type Minute =
  | { readonly state: "ok" | "pending"; readonly entry: LogEntryOf<"ticks"> | null; readonly index: number | null }
  | { readonly state: "failed"; readonly why: string };

/** The `ticks` entry of the minute that holds the tick; null while the minute is not over. */
function minuteOf({ hashes, receipt, order, policy }: Evidence, tick: Tick): Minute {
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

type ShownQuote = NonNullable<Evidence["receipt"]["quotes"]>[number];

interface Shown extends Pick<ShownQuote, "quote" | "params"> {
  readonly quoted: QuoteLine["quoted"];
}

/** The tick's own line, which must lead to the root that the log has of the minute; in English what is wrong. */
function lineOf(
  { hashes, receipt }: Evidence,
  entry: LogEntryOf<"ticks">,
  root: Uint8Array,
  tick: Tick,
): Shown | string {
  const shown = receipt.quotes?.find(({ line }) => parseQuoteLine(line)?.seq === tick.seq);
  const parsed = shown === undefined ? null : parseQuoteLine(shown.line);
  if (shown === undefined || parsed === null) return "what a tick was composed of is left out";
  const place = {
    entry: utf8(shown.line),
    index: Number(tick.seq) - entry.from,
    size: entry.count,
    path: shown.path,
    root,
  };
  if (!verifyMerklePath(hashes, place)) return "the log has other quotes of a tick";
  return { quoted: parsed.quoted, quote: shown.quote, params: shown.params };
}

/** Who must sign was pinned before the tick was. */
function orderFault(params: Fact<"params.pyth">, minute: Minute, tick: Tick): string | null {
  if (params.entry.since > tick.time) return "who must sign was named after the tick";
  const isLate = params.state === "ok" && minute.state === "ok" && minute.index !== null && params.index > minute.index;
  return isLate ? "who must sign was written after the tick" : null;
}
