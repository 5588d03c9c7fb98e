import { equalBytes } from "@fairtick/domain";
import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, noteAt, type Report } from "./log-finding.ts";
import type { EpochRounds } from "./sm2-proof.ts";

type NamedBeacon = LogEntryOf<"params">["beacon"];

/**
 * Checks a log's use of its beacon: once a house uses one, it goes on using one; the report names every change of beacon,
 * and every round that never came.
 */
export interface BeaconRules {
  /** An epoch is committed to under params that name this beacon, or none. */
  commit(index: number, e: bigint, beacon: NamedBeacon): void;
  revealed(index: number, e: bigint, rounds: EpochRounds): void;
}

export function createBeaconRules(report: Report): BeaconRules {
  let before: NamedBeacon;
  return {
    commit(index, e, beacon) {
      if (before !== undefined && beacon === undefined) {
        faultAt(report, "epochs", index, `epoch ${e} needs no beacon, and the ones before it do`);
      } else if (before !== undefined && beacon !== undefined && !isSame(before, beacon)) {
        noteAt(report, "epochs", index, `epoch ${e} names another beacon`);
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

function isSame(left: NonNullable<NamedBeacon>, right: NonNullable<NamedBeacon>): boolean {
  return left.genesis === right.genesis && left.period === right.period && equalBytes(left.key, right.key);
}
