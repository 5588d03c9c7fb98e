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

/** The most characters that a reason may have in the log. */
const REASON_LENGTH_MAX = 200;
/** Introduces the witnesses that did not sign, in a reason. */
const UNSIGNED = "; not signed by ";

/** Adds the witnesses that did not sign to a reason: as many names as fit into one line of ASCII. */
export function nameUnsigned(reason: string, names: readonly string[]): string {
  if (names.length === 0) return reason;
  // Names of notes have no spaces, but may have other letters.
  const all = names.map((name) => name.replaceAll(/[^!-~]/g, "?"));
  const room = REASON_LENGTH_MAX - reason.length - UNSIGNED.length;
  let [listed, fitting] = ["", 0];
  for (const name of all) {
    const longer = fitting === 0 ? name.slice(0, room - 20) : `${listed}, ${name}`;
    if (longer.length > room - 20) break;
    listed = longer;
    fitting += 1;
  }
  return `${reason}${UNSIGNED}${listed}${fitting < all.length ? ` and ${all.length - fitting} more` : ""}`;
}

/** Reads the witnesses' names that `nameUnsigned` added to a reason. */
export function readUnsigned(reason: string): readonly string[] {
  const [, named = ""] = reason.split(UNSIGNED);
  return named === "" ? [] : named.replace(/ and [0-9]+ more$/, "").split(", ");
}

/**
 * Makes the public log's entry of an incident. It has to precede whatever it made late: verifiers report late entries that no
 * incident explains (docs/verification.md).
 */
export function incidentEntry(incident: Incident): string {
  return canonicalJson({ ...incident, kind: "incident", v: 1 });
}
