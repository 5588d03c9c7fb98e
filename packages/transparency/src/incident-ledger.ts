import { dueAfterPauses } from "@fairtick/domain";
import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, noteAt, type Report } from "./log-finding.ts";

/** How late an incident may be logged, ms: no entry before it may have a moment more than this after its `at`. */
const LATE_INCIDENT_MS = 30_000n;

/**
 * The longest gap between epochs without an incident, ms. Epochs usually follow at once, but a market that resumes just
 * before an epoch's end needs this long to open the next one.
 */
const GAP_MS = 2_000n;
/** How soon after an incident the next epoch must start, ms. */
const RESUMED_WITHIN_MS = 10_000n;

type Incident = LogEntryOf<"incident">;
type Part = Incident["part"];

/** Keeps the incidents that the house logged: each is reported, and excuses what was late because of it. */
export interface IncidentLedger {
  /** Adds an incident. `latest`: the newest moment of any earlier entry, ms. */
  add(index: number, entry: Incident, latest: bigint): void;
  /** Called for an entry that only houses which log incidents write. After it, anything late needs an incident. */
  keepsIncidents(index: number): void;
  /** Returns whether the entry comes after such an entry. Earlier entries are not faulted for missing incidents. */
  isBound(index: number): boolean;
  /**
   * Returns the moment from which `graceMs` count for something that was due at `dueAt`, ms: the same, or later because
   * of incidents of these parts before the entry `index`.
   */
  dueAt(dueAt: bigint, index: number, parts: readonly Part[], graceMs: bigint): bigint;
  /**
   * Returns whether an incident explains why a symbol had no price from `from` to `to`: one of its source that covers
   * the whole period, or one of the whole house that overlaps it. Only incidents written until `by` count. All in ms.
   */
  explains(symbol: string, from: bigint, to: bigint, by: bigint): boolean;
  /** Adds a note if no entry of the log was required to have incidents. */
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

/**
 * Returns what is wrong with an epoch that starts long after the previous one ended (`end`, ms); null for nothing. A
 * house that may start late without a reason could wait for a path that suits it.
 */
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
