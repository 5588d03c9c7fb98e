import {
  calculateOutcome,
  decideEntry,
  decideExit,
  ENTRY_WINDOW_MS,
  firstTickAfter,
  lastTickThrough,
  type EntryTerms,
  type Instant,
  type Outcome,
  type Tick,
  type VoidReason,
} from "@fairtick/domain";

/**
 * How far the log's newest moment must be past the entry window or the expiry before a missing tick is given up, ms.
 */
export const SILENCE_MS = 600_000n;

/** How the rules decide an order on the given ticks. An order with no direction is `unrevealed` unless it is voided. */
export interface Decided {
  readonly entry: Tick | null;
  readonly exit: Tick | null;
  readonly outcome: Outcome;
  readonly voidReason: VoidReason | null;
}

/** Result of a decision. `waiting`: a deciding tick is not there yet; `gap`: the tick next to one is missing. */
export type Decision =
  | { readonly state: "decided"; readonly decided: Decided }
  | { readonly state: "waiting" }
  | { readonly state: "gap"; readonly beside: "entry" | "exit" };

/**
 * Decides an order by the domain's rules.
 *
 * @param ticks Sorted by number. Irrelevant ranges may be left out, but the tick before the entry and the one after the
 *   expiry must be there with adjacent numbers, to prove that no tick was skipped
 * @param toldThrough Newest moment of a log that has no tick after these, ms; null if unknown. If it is more than
 *   SILENCE_MS past the entry window or the expiry, no further tick is expected and these decide
 */
export function decideOrder(
  terms: EntryTerms,
  staleExitMs: bigint,
  ticks: readonly Tick[],
  toldThrough: bigint | null = null,
): Decision {
  const first = firstTickAfter(ticks, terms.acceptedAt);
  if (first === null) {
    const isOver = isSilent(toldThrough, terms.acceptedAt + ENTRY_WINDOW_MS);
    return isOver ? voided(null, null, "NO_ENTRY_TICK") : { state: "waiting" };
  }
  if (lastTickThrough(ticks, terms.acceptedAt)?.seq !== first.seq - 1n) return { state: "gap", beside: "entry" };
  const entered = decideEntry(terms, first, first.time);
  if (entered.kind === "waiting") return { state: "waiting" };
  if (entered.kind === "voided") return voided(entered.entry, null, entered.reason);
  return decideRunning(terms, entered, staleExitMs, ticks, toldThrough);
}

/** Decides an order that has its entry from the ticks around its expiry. */
function decideRunning(
  { direction }: EntryTerms,
  { entry, expiresAt }: { readonly entry: Tick; readonly expiresAt: Instant },
  staleExitMs: bigint,
  ticks: readonly Tick[],
  toldThrough: bigint | null,
): Decision {
  const last = lastTickThrough(ticks, expiresAt);
  const next = firstTickAfter(ticks, expiresAt);
  if (next === null && !isSilent(toldThrough, expiresAt)) return { state: "waiting" };
  if (next !== null && last?.seq !== next.seq - 1n) return { state: "gap", beside: "exit" };
  const exited = decideExit(entry, expiresAt, last, expiresAt, staleExitMs);
  if (exited.kind === "waiting") return { state: "waiting" };
  if (exited.kind === "voided") return voided(entry, exited.exit, exited.reason);
  const outcome = direction === null ? "unrevealed" : calculateOutcome(entry.price, exited.exit.price, direction);
  return { state: "decided", decided: { entry, exit: exited.exit, outcome, voidReason: null } };
}

function isSilent(toldThrough: bigint | null, end: bigint): boolean {
  return toldThrough !== null && toldThrough > end + SILENCE_MS;
}

function voided(entry: Tick | null, exit: Tick | null, voidReason: VoidReason): Decision {
  return { state: "decided", decided: { entry, exit, outcome: "voided", voidReason } };
}
