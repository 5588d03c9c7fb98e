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
 * Orders that were voided for want of an outside price. A house that stops its prices for one order chooses who is not paid, so each such
 * stretch has to stand in the log with its reason. Where prices are simulated the seed says which there have to be.
 */
export interface VoidLedger {
  /** By the settlement at that entry. */
  add(index: number, voided: VoidedBy): void;
  /** Reports what no incident of the whole log explains; `newest`: the newest moment that the log tells of. */
  finish(newest: bigint): void;
}

/** An incident is told of within this time after the first price that follows its stretch. */
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
 * The stretch that voided an order, if one did; null, too, where no tick came after it yet, or where it is no longer than the house has
 * to tell of: ten seconds, or `staleExitMs` where that is less.
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
