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
 * Checks what entry and exit were composed of, if the log says so: each must be the median of the sources that counted,
 * no source may be left out that had to count, and a signed quote must be signed by the guardians that the log pinned
 * before. There is nothing to check for a tick whose composition is not in the log.
 */
export function checkQuotes(evidence: Evidence): Answer {
  const { order, decision } = evidence;
  if (order === null || decision === null) return failed("order or prices are malformed");
  if (decision.state !== "decided" || evidence.receipt.result === null) return pending("not decided yet");
  const values: Record<string, string | number> = { signed: 0 };
  let waiting: string | null = null;
  for (const tick of [decision.decided.entry, decision.decided.exit]) {
    if (tick === null || sourceOfTick(evidence.receipt, tick) === SIMULATED) continue;
    const found = checkTick(evidence, order.symbol, tick);
    if ("fault" in found) return failed(found.fault, { ...values, ...(found.isOfTick && { tick: `${tick.seq}` }) });
    waiting = found.waiting ?? waiting;
    if (found.signers !== null) {
      values["signed"] = Number(values["signed"]) + 1;
      values["set"] = found.signers.set;
      values["quorum"] = `${found.signers.quorum}/${found.signers.guardians.length}`;
    }
    if (found.quoted !== null) values[values["first"] === undefined ? "first" : "second"] = wordsOf(found.quoted);
  }
  return waiting === null ? ok(values) : pending(waiting, values);
}

/** A fault, in English. `isOfTick`: it is in the tick itself rather than in the evidence given for it. */
interface TickFault {
  readonly fault: string;
  readonly isOfTick?: true;
}

/** A tick's composition, and whose signature was checked. `waiting`: what is in no checkpoint yet, in English. */
interface TickFinding {
  readonly waiting: string | null;
  readonly quoted: Quoted | null;
  readonly signers: LogEntryOf<"params.pyth"> | null;
}

function checkTick(evidence: Evidence, symbol: string, tick: Tick): TickFault | TickFinding {
  const minute = minuteOf(evidence, tick);
  if (minute.state === "failed") return { fault: minute.why };
  const waiting = minute.state === "pending" ? "a minute is not in a checkpoint yet" : null;
  const nothing = { waiting, quoted: null, signers: null };
  if (minute.entry === null) return nothing;
  const stated = namedSource(minute.entry, tick)?.source ?? null;
  if (minute.entry.quotes === undefined) return stated === SIGNED_SOURCE ? { fault: UNSIGNED } : nothing;
  const shown = lineOf(evidence, minute.entry, minute.entry.quotes, tick);
  if (typeof shown === "string") return { fault: shown };
  const { quoted } = shown;
  const unnamed = sourceFault(stated, { seq: tick.seq, quoted });
  if (unnamed !== null) return { fault: unnamed };
  if (quoted === null) return nothing;
  if (quoted.hash !== null) return checkSigned(evidence, symbol, tick, { ...shown, quoted }, minute, waiting);
  const made = compositionFault(tick, quoted);
  return made === null ? { waiting, quoted, signers: null } : { fault: made, isOfTick: true };
}

/** Checks the signed quote among a tick's quotes, and then the tick's composition. */
function checkSigned(
  { hashes, policy }: Evidence,
  symbol: string,
  tick: Tick,
  shown: Shown & { readonly quoted: Quoted },
  minute: Minute,
  waiting: string | null,
): TickFault | TickFinding {
  const { quoted, quote } = shown;
  if (shown.params === null) return { fault: "who must sign is left out" };
  if (quote === null) return { fault: "the signed quote of a tick is left out" };
  const params = checkLogged(hashes, "params.pyth", shown.params, policy);
  if (params.state === "failed") return { fault: params.why };
  const fault =
    orderFault(params, minute, tick) ??
    quoteFault(hashes, quoteRules(params.entry, symbol), tick, quoted, quote) ??
    compositionFault(tick, quoted);
  if (fault !== null) return { fault, isOfTick: true };
  const isPending = params.state === "pending";
  return {
    waiting: isPending ? "who must sign is not in a checkpoint yet" : waiting,
    quoted,
    signers: params.entry,
  };
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

/** Returns the tick's quote line, which must lead to the minute's root in the log, or what is wrong, in English. */
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

/** Returns what is wrong if the guardians were not pinned before the tick, in English; null for nothing. */
function orderFault(params: Fact<"params.pyth">, minute: Minute, tick: Tick): string | null {
  if (params.entry.since > tick.time) return "who must sign was named after the tick";
  const isLate = params.state === "ok" && minute.state === "ok" && minute.index !== null && params.index > minute.index;
  return isLate ? "who must sign was written after the tick" : null;
}
