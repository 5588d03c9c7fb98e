import {
  equalBytes,
  expiryOf,
  firstTickAfter,
  lastTickThrough,
  REVEAL_WITHIN_MS,
  type EntryTerms,
  type Instant,
  type Points,
  type Tick,
} from "@fairtick/domain";
import { findRules, parseConfigTerms, type InstrumentRules } from "./committed-order.ts";
import { decideOrder, type Decided } from "./decide-order.ts";
import type { SettledOrder } from "./order-entry.ts";
import { failed, ok, open, type ProofCheck } from "./proof-check.ts";
import type { ProofLog } from "./proof-log.ts";

/** The log has an entry for the ticks of each minute that has any. */
const MINUTE_MS = 60_000n;

/** An order as its batch and its settlement in the log show it. */
export interface LoggedOrder {
  /** Place of its `orders.accept` entry. */
  readonly acceptedIn: number;
  /** Version of the configuration that the batch names; undefined in older logs. */
  readonly configVersion: number | undefined;
  readonly settled: SettledOrder;
  /** As the settlement's entry says, ms since 1970. */
  readonly settledAt: Instant;
}

/**
 * Decides the order again from those ticks and the configuration at place `config` of the log. It is open where only
 * the link may be at fault, and at best for an order that was never revealed, because witnesses' boards aren't read.
 */
export async function decideAgain(
  log: ProofLog,
  order: LoggedOrder,
  config: number,
  ticks: readonly Tick[],
): Promise<ProofCheck> {
  const rules = await readRules(log, order, config);
  if ("state" in rules) return rules;
  const { settled } = order;
  const terms: EntryTerms = {
    acceptedAt: settled.acceptedAt,
    durationSeconds: settled.duration,
    direction: settled.direction,
    limitPrice: settled.limitPrice as Points | null,
  };
  const decision = decideOrder(terms, rules.staleExitMs, ticks);
  if (decision.state === "waiting") return open("decided", { code: "noNextPrice" });
  if (decision.state === "gap") {
    const why = { code: "pricesLeftOut" } as const;
    return isInHouse(terms, decision.beside, ticks) ? failed("decided", why) : open("decided", why);
  }
  if (!isSame(settled, decision.decided)) return failed("decided", { code: "otherResult" });
  return settled.outcome === "unrevealed" ? checkUnrevealed(order, decision.decided) : ok("decided");
}

/**
 * Returns whether the ticks contain those that the settlement names. For an order without an entry tick, whether they
 * contain one before and one after its acceptance, between which there was none in time.
 */
export function hasNamedTicks(settled: SettledOrder, ticks: readonly Tick[]): boolean {
  const { acceptedAt, entrySeq, exitSeq } = settled;
  if (entrySeq === null) {
    return ticks.some(({ time }) => time <= acceptedAt) && ticks.some(({ time }) => time > acceptedAt);
  }
  return [entrySeq, exitSeq].every((seq) => seq === null || ticks.some((tick) => Number(tick.seq) === seq));
}

/**
 * Returns whether a gap can only come from the house: between ticks of one minute or of two that follow each other, a
 * link can't leave out any.
 */
function isInHouse(terms: EntryTerms, beside: "entry" | "exit", ticks: readonly Tick[]): boolean {
  const first = firstTickAfter(ticks, terms.acceptedAt);
  if (first === null) return false;
  const at = beside === "entry" ? terms.acceptedAt : expiryOf(first, terms.durationSeconds);
  const [last, next] = [lastTickThrough(ticks, at), firstTickAfter(ticks, at)];
  return last !== null && next !== null && next.time / MINUTE_MS - last.time / MINUTE_MS <= 1n;
}

/** Reads the configuration that applied to the order, and checks that it did; returns the check if it didn't. */
async function readRules(
  log: ProofLog,
  { acceptedIn, configVersion, settled }: LoggedOrder,
  config: number,
): Promise<InstrumentRules | ProofCheck> {
  const found = await log.find(config, "config");
  if ("why" in found) return open("decided", found.why);
  const { version, effectiveAt, hash } = found.entry;
  const isInForce = effectiveAt <= settled.acceptedAt && config < acceptedIn;
  // Where the batch names no version, only the link says which one it was.
  const isNamed = configVersion === undefined ? isInForce : configVersion === version;
  if (!isNamed) return open("decided", { code: "linkOtherRules" });
  if (!isInForce) return failed("decided", { code: "rulesLater" });
  const body = await log.read(`config/${version}`);
  const terms = body === null ? null : parseConfigTerms(new TextDecoder().decode(body));
  const isLogged = body !== null && equalBytes(log.hash(body), hash);
  if (terms === null || !isLogged || terms.version !== version || terms.effectiveAt !== effectiveAt) {
    return failed("decided", { code: "otherRules" });
  }
  return findRules(terms, settled.symbol) ?? failed("decided", { code: "noProduct" });
}

function isSame(settled: SettledOrder, { entry, exit, outcome, voidReason }: Decided): boolean {
  const numberOf = (tick: Tick | null) => (tick === null ? null : Number(tick.seq));
  return (
    outcome === settled.outcome &&
    voidReason === settled.voidReason &&
    numberOf(entry) === settled.entrySeq &&
    numberOf(exit) === settled.exitSeq
  );
}

/** Checks that the time to reveal the order was over, by the rule that verifies whole logs: `order-ledger.ts`. */
function checkUnrevealed({ settled, settledAt }: LoggedOrder, { entry }: Decided): ProofCheck {
  const revealBy = entry === null ? null : expiryOf(entry, settled.duration) + REVEAL_WITHIN_MS;
  return revealBy === null || settledAt < revealBy
    ? failed("decided", { code: "tooEarly" })
    : open("decided", { code: "boardsUnread" });
}
