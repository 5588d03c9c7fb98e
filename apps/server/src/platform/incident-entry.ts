import { canonicalJson } from "@fairtick/domain";

/** A period in which a part of the house stood still. Times are in milliseconds since 1970. */
export interface Incident {
  /** When it is reported; not before `to`. */
  readonly at: bigint;
  readonly from: bigint;
  readonly to: bigint;
  readonly part: "house" | "log" | "prices" | "settlement" | "source";
  /** One line of English, in ASCII. */
  readonly reason: string;
  /** The instrument, for an incident of an outside source. */
  readonly symbol?: string;
  /** How many orders were settled late because of it. */
  readonly orders?: number;
}

/**
 * Makes the public log's entry of an incident. It has to precede whatever it made late: verifiers report late entries that no
 * incident explains (docs/verification.md).
 */
export function incidentEntry(incident: Incident): string {
  return canonicalJson({ ...incident, kind: "incident", v: 1 });
}
