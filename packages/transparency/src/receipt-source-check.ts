import { utf8, type Tick } from "@fairtick/domain";
import { parsePriceLines } from "./acceptance.ts";
import { parseLogEntry, SIMULATED, type LogEntryOf } from "./log-entry.ts";
import type { Receipt } from "./receipt.ts";
import { failed, ok, pending, type Answer, type Evidence } from "./receipt-evidence.ts";
import { minuteOf, type Minute } from "./receipt-minute.ts";
import { checkLogged, type LoggedFact } from "./verifier-policy.ts";

type Named = NonNullable<LogEntryOf<"ticks">["sources"]>[number];

/** Returns the source that a minute's entry names for one of its ticks; null if the log didn't name sources yet. */
export function namedSource(entry: LogEntryOf<"ticks">, { time }: Tick): Named | null {
  return entry.sources?.findLast(({ since }) => since <= time) ?? null;
}

/** Returns a tick's source from its minute's entry or, if that names none, from the receipt. */
export function sourceOfTick(receipt: Receipt, tick: Tick): string {
  return labelOf(receipt, tick)?.source ?? receipt.source;
}

function labelOf(receipt: Receipt, tick: Tick): Named | null {
  const held = receipt.minutes.find(({ lines }) => parsePriceLines(lines)?.some(({ seq }) => seq === tick.seq));
  const parsed = held?.logged ? parseLogEntry(utf8(held.logged.entry)) : null;
  return parsed?.ok === true && parsed.entry.kind === "ticks" ? namedSource(parsed.entry, tick) : null;
}

/**
 * Checks the source of entry and exit: their minutes name it, a `source` entry named it before, and the receipt agrees.
 * There is nothing to check for minutes from before the log named sources.
 */
export function checkSource(evidence: Evidence): Answer {
  const { receipt, order, decision } = evidence;
  if (order === null || decision === null) return failed("order or prices are malformed");
  if (decision.state !== "decided" || receipt.result === null) return pending("not decided yet");
  const ticks = [decision.decided.entry, decision.decided.exit].filter((tick) => tick !== null);
  const named: string[] = [];
  let waiting: string | null = null;
  for (const tick of ticks) {
    const minute = minuteOf(evidence, tick);
    if (minute.state === "pending") waiting = "a minute is not in a checkpoint yet";
    // Whether the minute itself is in the log is checked by `prices-in-log`.
    const name = labelOf(receipt, tick);
    if (name === null) continue;
    named.push(name.source);
    const said = wordOf(evidence, name);
    const fault = wordFault(said, minute);
    if (fault !== null) return failed(fault, { source: name.source });
    if (said?.state === "pending") waiting = "who makes the prices is not in a checkpoint yet";
  }
  const values = { given: receipt.source, logged: [...new Set(named)].join(", ") || "none" };
  if (waiting !== null) return pending(waiting, values);
  const isOther = namesAnother(named, ticks.length, receipt.source);
  return isOther ? failed("the log names another source", values) : ok(values);
}

/** Returns whether the minutes' sources contradict the receipt's. Minutes that name none are missing from `named`. */
function namesAnother(named: readonly string[], ticks: number, given: string): boolean {
  if (named.includes(SIMULATED)) return given !== SIMULATED;
  return ticks > 0 && named.length === ticks && given === SIMULATED;
}

/**
 * Returns what is wrong with the entry that names a minute's source; null for nothing or if it is in no checkpoint yet.
 */
function wordFault(said: LoggedFact<"source"> | null, minute: Minute): string | null {
  if (said === null) return "the entry that names the source is left out";
  if (said.state === "failed") return said.why;
  const areBothLogged = said.state === "ok" && minute.state === "ok" && minute.index !== null;
  return areBothLogged && said.index > minute.index ? "the source was written after its prices" : null;
}

/** Finds the `source` entry that a minute names among those in the receipt. Returns a failed one if there is any. */
function wordOf({ hashes, receipt, order, policy }: Evidence, { since, source }: Named): LoggedFact<"source"> | null {
  const facts = (receipt.sources ?? []).map((logged) => checkLogged(hashes, "source", logged, policy));
  const broken = facts.find(({ state }) => state === "failed");
  return (
    broken ??
    facts.find(({ entry }) => entry?.symbol === order?.symbol && entry?.since === since && entry.source === source) ??
    null
  );
}
