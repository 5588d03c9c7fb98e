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

/** An order's next tick is waited for until the log tells of a moment later than this after entry window or expiry. */
export const SILENCE_MS = 600_000n;

/** How the rules decide an order on the ticks at hand; one without direction is `unrevealed` where its ticks void it not. */
export interface Decided {
  readonly entry: Tick | null;
  readonly exit: Tick | null;
  readonly outcome: Outcome;
  readonly voidReason: VoidReason | null;
}

/** `waiting`: a tick that decides is not there yet; `gap`: the tick next to the deciding one is left out. */
export type Decision =
  | { readonly state: "decided"; readonly decided: Decided }
  | { readonly state: "waiting" }
  | { readonly state: "gap"; readonly beside: "entry" | "exit" };

/**
 * Decides by domain's rules on ticks sorted by number, which may leave out stretches that do not matter: the tick before
 * the entry and the one after the expiry must be there, next in number, to show that none was passed over. `toldThrough`: the
 * newest moment that a log tells of, which has no tick after those at hand. Where it is SILENCE_MS past entry window or
 * expiry, none came, and the ticks at hand decide.
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

/** Decides an order that has its entry, by the ticks around its expiry. */
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
