import { utf8, verifyMerklePath, type Tick } from "@fairtick/domain";
import { SIMULATED, type LogEntryOf } from "./log-entry.ts";
import { failed, ok, pending, type Answer, type Evidence } from "./receipt-evidence.ts";
import { minuteOf, type Minute } from "./receipt-minute.ts";
import { namedSource, sourceOfTick } from "./receipt-source-check.ts";
import {
  compositionFault,
  parseQuoteLine,
  quoteFault,
  quoteRules,
  SIGNED_SOURCE,
  sourceFault,
  UNSIGNED,
  type Quoted,
  type QuoteLine,
} from "./tick-quotes.ts";
import { checkLogged, type LoggedFact } from "./verifier-policy.ts";

type Fact<Kind extends "ticks" | "params.pyth"> = Exclude<LoggedFact<Kind>, { state: "failed" }>;

/**
 * Checks what entry and exit were composed of, where the log says it: each is the median of the sources that counted, no
 * source was left out that had to count, and a signed quote among them is signed by the guardians that the log pinned
 * before. For a tick about which the log says nothing, there is nothing to check.
 */
export function checkQuotes(evidence: Evidence): Answer {
  const { hashes, order, decision, policy } = evidence;
  if (order === null || decision === null) return failed("order or prices are malformed");
  if (decision.state !== "decided" || evidence.receipt.result === null) return pending("not decided yet");
  const values: Record<string, string | number> = { signed: 0 };
  let waiting: string | null = null;
  for (const tick of [decision.decided.entry, decision.decided.exit]) {
    if (tick === null || sourceOfTick(evidence.receipt, tick) === SIMULATED) continue;
    const minute = minuteOf(evidence, tick);
    if (minute.state === "failed") return failed(minute.why, values);
    if (minute.state === "pending") waiting = "a minute is not in a checkpoint yet";
    if (minute.entry === null) continue;
    const stated = namedSource(minute.entry, tick)?.source ?? null;
    if (minute.entry.quotes === undefined) {
      if (stated === SIGNED_SOURCE) return failed(UNSIGNED, values);
      continue;
    }
    const shown = lineOf(evidence, minute.entry, minute.entry.quotes, tick);
    if (typeof shown === "string") return failed(shown, values);
    const { quoted, quote } = shown;
    const unnamed = sourceFault(stated, { seq: tick.seq, quoted });
    if (unnamed !== null) return failed(unnamed, values);
    if (quoted === null) continue;
    const made = compositionFault(tick, quoted);
    if (made !== null && quoted.hash === null) return failed(made, { ...values, tick: `${tick.seq}` });
    const which = values["first"] === undefined ? "first" : "second";
    if (quoted.hash === null) {
      values[which] = wordsOf(quoted);
      continue;
    }
    if (shown.params === null) return failed("who must sign is left out", values);
    if (quote === null) return failed("the signed quote of a tick is left out", values);
    const params = checkLogged(hashes, "params.pyth", shown.params, policy);
    if (params.state === "failed") return failed(params.why, values);
    if (params.state === "pending") waiting = "who must sign is not in a checkpoint yet";
    const fault =
      orderFault(params, minute, tick) ??
      quoteFault(hashes, quoteRules(params.entry, order.symbol), tick, quoted, quote) ??
      made;
    if (fault !== null) return failed(fault, { ...values, tick: `${tick.seq}` });
    values["signed"] = Number(values["signed"]) + 1;
    values["set"] = params.entry.set;
    values["quorum"] = `${params.entry.quorum}/${params.entry.guardians.length}`;
    values[which] = wordsOf(quoted);
  }
  return waiting === null ? ok(values) : pending(waiting, values);
}

function wordsOf({ sources, leftOut }: Quoted): string {
  const told = [...sources].map(([name, price]) => `${name} ${price}`).join(" + ");
  const others = [...leftOut].map(([name, price]) => `${name} ${price}`).join(", ");
  return others === "" ? told : `${told} (too far off: ${others})`;
}

type ShownQuote = NonNullable<Evidence["receipt"]["quotes"]>[number];

interface Shown extends Pick<ShownQuote, "quote" | "params"> {
  readonly quoted: QuoteLine["quoted"];
}

/** Answers the tick's own line, which must lead to the minute's root in the log, or what is wrong, in English. */
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

/** Checks that those who must sign were pinned before the tick; answers what is wrong, in English. */
function orderFault(params: Fact<"params.pyth">, minute: Minute, tick: Tick): string | null {
  if (params.entry.since > tick.time) return "who must sign was named after the tick";
  const isLate = params.state === "ok" && minute.state === "ok" && minute.index !== null && params.index > minute.index;
  return isLate ? "who must sign was written after the tick" : null;
}
