import { ENTRY_WINDOW_MS, firstTickAfter, lastTickThrough, type Instant, type Tick } from "@fairtick/domain";
import type { Decided } from "./decide-order.ts";
import type { IncidentLedger } from "./incident-ledger.ts";
import { SIMULATED } from "./log-entry.ts";
import { faultAt, type Report } from "./log-finding.ts";
import type { SourceLedger } from "./source-ledger.ts";

/** A stretch without prices that voided an order. */
export interface VoidedBy {
  /** The order, as findings name it. */
  readonly name: string;
  readonly symbol: string;
  /** Of the last tick before the stretch, and of the first one after it. */
  readonly from: Instant;
  readonly to: Instant;
}

/**
 * Checks orders that were voided because an outside price was missing. A house that stops its prices for one order would
 * choose who is not paid, so the log has to give the reason for each such time without prices. Where prices are simulated,
 * the seed says which prices there must be.
 */
export interface VoidLedger {
  /** By the settlement at that entry. */
  add(index: number, voided: VoidedBy): void;
  /** Reports the voids that no incident in the whole log explains; `newest`: the newest moment in the log. */
  finish(newest: bigint): void;
}

/** An incident has to be in the log within this time after the first price that follows it. */
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
 * Finds the time without prices that voided an order. Null where there is none, where no tick has come after it yet, and
 * where it is too short for the house to have to explain it: ten seconds, or `staleExitMs` where that is less.
 *
 * @param ticks As the order was decided on.
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
