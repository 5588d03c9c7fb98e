import type { Instrument } from "@fairtick/protocol";

export type RankingView = "all" | "rising" | "falling";

function change(instrument: Instrument): number {
  return Number(instrument.changeToday ?? 0);
}

/** Sorts by the size of today's change; risers from the highest, fallers from the lowest. */
export function rank(instruments: readonly Instrument[], view: RankingView): Instrument[] {
  if (view === "rising") {
    return instruments.filter((one) => change(one) > 0).toSorted((a, b) => change(b) - change(a));
  }
  if (view === "falling") {
    return instruments.filter((one) => change(one) < 0).toSorted((a, b) => change(a) - change(b));
  }
  return instruments.toSorted((a, b) => Math.abs(change(b)) - Math.abs(change(a)));
}
