import { dueAfterPauses } from "@fairtick/domain";
import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, noteAt, type Report } from "./log-finding.ts";

/** An incident is in the log before any entry that tells of a moment later than this after it was written. */
const LATE_INCIDENT_MS = 30_000n;

/** Epochs follow one another at once; a market that comes back just before an end opens the next one at this short notice. */
const GAP_MS = 2_000n;
/** After an incident the next epoch starts so soon. */
const RESUMED_WITHIN_MS = 10_000n;

type Incident = LogEntryOf<"incident">;
type Part = Incident["part"];

/** What a house says of the stretches in which it stood still: they are told of, and excuse what came late by them. */
export interface IncidentLedger {
  /** `latest`: the newest moment that an earlier entry tells of. */
  add(index: number, entry: Incident, latest: bigint): void;
  /** An entry that only a house which logs its incidents writes: what comes behind it is held to that. */
  keepsIncidents(index: number): void;
  /** Whether the entry there comes from such a house. Logs from before are not found fault with. */
  isBound(index: number): boolean;
  /** From when the time for something runs that was due at `dueAt`, by incidents of these parts that stand before the entry. */
  dueAt(dueAt: bigint, index: number, parts: readonly Part[], graceMs: bigint): bigint;
  /**
   * Whether an incident that was told of by then says why a symbol had no price between two moments: one of its source over all of the
   * stretch, or one of the whole house in it.
   */
  explains(symbol: string, from: bigint, to: bigint, by: bigint): boolean;
  /** Says so where nothing was held to its incidents. */
  finish(): void;
}

export function createIncidentLedger(report: Report): IncidentLedger {
  const pauses: (Incident & { readonly index: number })[] = [];
  let boundFrom: number | null = null;
  return {
    add(index, entry, latest) {
      const { at, from, part, reason, symbol, to } = entry;
      boundFrom ??= index;
      pauses.push({ ...entry, index });
      const [since, until] = [from, to].map((moment) => new Date(Number(moment)).toISOString());
      const where = symbol === undefined ? part : `${part} of ${symbol}`;
      noteAt(report, "incidents", index, `${where} stood still from ${since} to ${until}: ${reason}`);
      if (latest > at + LATE_INCIDENT_MS) {
        faultAt(report, "incidents", index, `an incident of ${part} was written ${latest - at} ms late`);
      }
    },
    keepsIncidents(index) {
      boundFrom ??= index;
    },
    isBound: (index) => boundFrom !== null && index > boundFrom,
    dueAt(dueAt, index, parts, graceMs) {
      const before = pauses.filter((pause) => pause.index < index && parts.includes(pause.part));
      return dueAfterPauses(dueAt, before, graceMs);
    },
    explains: (symbol, from, to, by) =>
      pauses.some((pause) => {
        if (pause.at > by) return false;
        if (pause.part === "house") return pause.from < to && pause.to > from;
        return pause.part === "source" && pause.symbol === symbol && pause.from <= from && pause.to >= to;
      }),
    finish() {
      if (boundFrom !== null) return;
      noteAt(report, "incidents", null, "the log names no release: what came late in it is not found fault with");
    },
  };
}

/** What is wrong with an opening at that entry after an epoch that ended at `end`: opened late, its path was known and could be waited out. */
export function gapFault(
  incidents: IncidentLedger,
  index: number,
  { e, start }: LogEntryOf<"epoch.open">,
  end: bigint,
): string | null {
  if (start <= end + GAP_MS || !incidents.isBound(index)) return null;
  const goesOn = incidents.dueAt(end, index, ["house", "prices"], GAP_MS);
  if (goesOn > end && start <= goesOn + RESUMED_WITHIN_MS) return null;
  return `epoch ${e} starts ${start - end} ms after the one before, and no incident says why`;
}
