import type { Points } from "@fairtick/domain";
import type { Rejection } from "./feed.ts";

/** The newest quote of a source that was refused, as far as it is known. */
export interface Refusal {
  readonly reason: Rejection;
  /** Null if the quote's price is unknown or not a price. */
  readonly price: Points | null;
  /** When it came, in ms of elapsed time. */
  readonly at: number;
  /** False if what was refused named no instrument, so that it may have been about another one. */
  readonly isNamed: boolean;
}

/** A source that didn't count, with the newest refusal since the last tick; null if nothing of it was refused. */
export interface Uncounted {
  readonly source: string;
  readonly refusal: Refusal | null;
}

const REFUSED_AS: Readonly<Record<Rejection, string>> = {
  malformed: "unreadable",
  notANumber: "not a number",
  negative: "negative",
  zero: "zero",
  crossed: "crossed",
  outOfOrder: "out of order",
  duplicate: "a repeat",
  jump: "a jump",
  outlier: "an outlier",
  unknownInstrument: "another instrument's",
  otherSet: "signed by another set",
  fewSigners: "signed by too few",
  sameSigner: "signed by one several times",
  wrongSigner: "signed by others",
  otherEmitter: "another emitter's",
  notInTree: "not in the signed tree",
  notAsSigned: "not as signed",
  unsigned: "unsigned",
  old: "old",
  ahead: "ahead of its time",
  unsure: "unsure",
};

/**
 * Says which sources gave nothing and which were refused, for the log's incident. A source is silent only if no quote of
 * it about the instrument came within `freshMs`. An exchange's own history can disprove a silence, so calling a refused
 * source silent would accuse the house of a lie.
 *
 * @param at now, in ms of elapsed time
 * @returns ASCII, prices in points; "" if there is nothing to say
 */
export function describeUncounted(uncounted: readonly Uncounted[], at: number, freshMs: number): string {
  const sorted = uncounted.toSorted((left, right) => (left.source < right.source ? -1 : 1));
  const silent: string[] = [];
  const refused = new Map<Rejection, string[]>();
  for (const { source, refusal } of sorted) {
    if (refusal === null || !refusal.isNamed || at - refusal.at > freshMs) silent.push(source);
    if (refusal === null) continue;
    const told = refusal.price === null ? source : `${source} ${refusal.price}`;
    refused.set(refusal.reason, [...(refused.get(refusal.reason) ?? []), told]);
  }
  const parts = [...refused].map(([reason, told]) => `refused as ${REFUSED_AS[reason]}: ${told.join(", ")}`);
  return [...(silent.length === 0 ? [] : [`silent: ${silent.join(", ")}`]), ...parts].join("; ");
}

/** The longest reason that a log entry may have, in characters. */
const REASON_MAX = 200;

/** Says that too few sources counted. `others`: what `describeUncounted` says about the rest. */
export function describeSilence(counted: number, needed: number, others: string): string {
  const missing = others === "" ? "no source was heard yet" : others;
  return `${counted} of ${needed} sources that are needed counted; ${missing}`.slice(0, REASON_MAX);
}

/** Says that fresh sources contradict each other, with their prices in points. */
export function describeDispute(
  fresh: readonly { readonly source: string; readonly price: Points }[],
  others: string,
): string {
  const said = fresh.map(({ source, price }) => `${source} ${price}`).toSorted();
  const dispute = `its sources were too far apart: ${said.join(", ")}`;
  return (others === "" ? dispute : `${dispute}; ${others}`).slice(0, REASON_MAX);
}
