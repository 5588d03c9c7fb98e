import { equalBytes } from "@fairtick/domain";
import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, noteAt, type Report } from "./log-finding.ts";
import type { EpochRounds } from "./sm2-proof.ts";

type NamedBeacon = LogEntryOf<"params">["beacon"];

/**
 * Checks a log's use of its beacon. A house that has used a beacon must keep using one, though not always the same. The
 * report names every change of beacon, and the rounds that were never published.
 */
export interface BeaconRules {
  /** Checks a commitment to an epoch. `beacon`: the one that its params name, if any. */
  commit(index: number, e: bigint, beacon: NamedBeacon): void;
  /** Notes the rounds that are missing from a revealed epoch. */
  revealed(index: number, e: bigint, rounds: EpochRounds): void;
}

export function createBeaconRules(report: Report): BeaconRules {
  let before: NamedBeacon;
  return {
    commit(index, e, beacon) {
      if (before !== undefined && beacon === undefined) {
        faultAt(report, "epochs", index, `epoch ${e} needs no beacon, and the ones before it do`);
      } else if (before !== undefined && beacon !== undefined) {
        if (!equalBytes(before.key, beacon.key)) noteAt(report, "epochs", index, `epoch ${e} names another beacon`);
        else if (!isTimedAlike(before, beacon))
          faultAt(report, "epochs", index, `epoch ${e} names other times for the rounds of the same beacon`);
      }
      before = beacon;
    },
    revealed(index, e, rounds) {
      if (!rounds.ok || rounds.missing.length === 0) return;
      const { length } = rounds.missing;
      noteAt(
        report,
        "epochs",
        index,
        `epoch ${e}: ${length} rounds of the beacon never came, first ${rounds.missing[0]}`,
      );
    },
  };
}

function isTimedAlike(left: NonNullable<NamedBeacon>, right: NonNullable<NamedBeacon>): boolean {
  return left.genesis === right.genesis && left.period === right.period;
}
