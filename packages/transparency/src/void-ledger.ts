import { ENTRY_WINDOW_MS, firstTickAfter, lastTickThrough, type Instant, type Tick } from "@fairtick/domain";
import type { Decided } from "./decide-order.ts";
import type { IncidentLedger } from "./incident-ledger.ts";
import { SIMULATED } from "./log-entry.ts";
import { faultAt, type Report } from "./log-finding.ts";
import type { SourceLedger } from "./source-ledger.ts";

/** A period without prices that voided an order. */
export interface VoidedBy {
  /** The order, as findings name it. */
  readonly name: string;
  readonly symbol: string;
  /** Time of the last tick before the period. */
  readonly from: Instant;
  /** Time of the first tick after the period. */
  readonly to: Instant;
}

/**
 * Checks orders that were voided because an outside price was missing. A house could stop its prices to void an order
 * that it doesn't want to pay, so the log must have an incident for each such period. Simulated prices need none, since
 * the seed determines which prices there must be.
 */
export interface VoidLedger {
  /** Adds an order that the settlement at entry `index` voided. */
  add(index: number, voided: VoidedBy): void;
  /** Reports the voids that no incident in the whole log explains; `newest`: the newest moment in the log. */
  finish(newest: bigint): void;
}

/** How long after the first price that follows it an incident may be written, ms. */
const TOLD_WITHIN_MS = 60_000n;

export function createVoidLedger(report: Report, incidents: IncidentLedger, sources: SourceLedger): VoidLedger {
  const all: (VoidedBy & { readonly index: number })[] = [];

  function isOutside(symbol: string, at: Instant): boolean {
    const source = sources.at(symbol, at)?.source ?? SIMULATED;
    return source !== SIMULATED;
  }

  return {
    add(index, voided) {
      const { symbol, from, to } = voided;
      if (incidents.isBound(index) && isOutside(symbol, from) && isOutside(symbol, to)) all.push({ ...voided, index });
    },
    finish(newest) {
      for (const { index, name, symbol, from, to } of all) {
        const by = to + TOLD_WITHIN_MS;
        if (newest <= by || incidents.explains(symbol, from, to, by)) continue;
        const stretch = `${to - from} ms without a price of ${symbol}`;
        faultAt(report, "settlements", index, `${name} was voided for ${stretch}, and no incident says why`);
      }
    },
  };
}

/**
 * Finds the period without prices that voided an order. Null if there is none, if no tick has come after it yet, or if
 * it is too short to need an explanation: at most ten seconds, or `staleExitMs` if that is less.
 *
 * @param ticks The ticks that the order was decided from
 */
export function stretchOf(
  { entry, exit, voidReason }: Decided,
  acceptedAt: Instant,
  staleExitMs: bigint,
  ticks: readonly Tick[],
): Pick<VoidedBy, "from" | "to"> | null {
  if (voidReason === null || voidReason === "LIMIT_PASSED") return null;
  const last = exit ?? entry ?? lastTickThrough(ticks, acceptedAt);
  const next = last && firstTickAfter(ticks, last.time);
  if (last === null || next === null || last.time <= 0n) return null;
  const toldAfter = staleExitMs < ENTRY_WINDOW_MS ? staleExitMs : ENTRY_WINDOW_MS;
  return next.time - last.time > toldAfter ? { from: last.time, to: next.time } : null;
}
