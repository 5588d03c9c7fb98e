import { canonicalJson } from "@fairtick/domain";

/** A stretch in which a part of the house stood still, in milliseconds since 1970. */
export interface Incident {
  /** When it is told of; not before `to`. */
  readonly at: bigint;
  readonly from: bigint;
  readonly to: bigint;
  readonly part: "house" | "log" | "prices" | "settlement" | "source";
  /** One line of English, in ASCII. */
  readonly reason: string;
  /** Of an outside source's incident: the instrument. */
  readonly symbol?: string;
  /** How many orders were settled late by it. */
  readonly orders?: number;
}

/**
 * The public log's entry of an incident. Whatever is written late by it has to stand behind it: a verifier finds fault with what comes
 * late without one (docs/verification.md).
 */
export function incidentEntry(incident: Incident): string {
  return canonicalJson({ ...incident, kind: "incident", v: 1 });
}
