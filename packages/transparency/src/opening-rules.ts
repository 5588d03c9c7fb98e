import type { LogPolicy } from "./checkpoint.ts";
import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, noteAt, type Report } from "./log-finding.ts";
import type { MixFinding } from "./sm1-proof.ts";

/** Orders are accepted only while the newest cosigned checkpoint is some seconds old: this leaves room for slow writers. */
const COSIGNED_WITHIN_MS = 60_000n;
/** A checkpoint so much older than what the log told of is a note. */
const OLD_MS = 120_000n;
/** Acceptances are remembered so far apart. */
const SAMPLE_MS = 1_000n;
/** A log in which so many epochs were opened has long been cosigned. */
const FIRST_EPOCHS = 6;

type MixOf = Extract<MixFinding, { ok: true }>;

/**
 * What keeps the house from choosing between paths: epochs are committed to and opened by their numbers, none left out, and
 * what is mixed in is the newest cosigned checkpoint. That one was there is shown by the orders that were accepted.
 */
export interface OpeningRules {
  accept(index: number, acceptedAt: bigint): void;
  commit(index: number, e: bigint): void;
  /** In order of their entries, before the mix is looked at. */
  open(index: number, entry: LogEntryOf<"epoch.open">): void;
  mixed(index: number, e: bigint, mix: MixOf, latest: bigint): void;
}

export function createOpeningRules(report: Report, policy: LogPolicy): OpeningRules {
  let newestCommit: bigint | null = null;
  let lastOpened: bigint | null = null;
  let [opened, isEverCosigned] = [0, false];
  let newestAccepted = 0n;
  /** Since the first commit that is not opened yet. */
  let accepted: { readonly index: number; readonly at: bigint }[] = [];
  const committed = new Map<bigint, number>();
  let isPinnedKnown = false;
  /** Mixed by somebody else since a pinned witness was last mixed in. */
  let strangers: { readonly index: number; readonly e: bigint; readonly name: string }[] = [];

  /** For how long orders were accepted after the first so many entries, none of which is in a checkpoint of that size. */
  function acceptedFor(size: number): bigint {
    const first = accepted.find(({ index }) => index >= size);
    return first === undefined ? 0n : newestAccepted - first.at;
  }

  function unwitnessed(index: number, e: bigint, what: string): void {
    const isBegun = isEverCosigned || opened > FIRST_EPOCHS;
    const since = (committed.get(e) ?? index) + 1;
    if (policy.witnessKeys.length > 0 && isBegun && acceptedFor(since) > COSIGNED_WITHIN_MS) {
      faultAt(report, "epochs", index, `epoch ${e}: ${what}, though checkpoints were cosigned in time`);
    } else noteAt(report, "epochs", index, `epoch ${e}: ${what}`);
  }

  function witnessed(index: number, e: bigint, size: number, by: NonNullable<MixOf["by"]>, latest: bigint): void {
    const { name, isPinned, time } = by;
    isEverCosigned = true;
    const [late, age] = [acceptedFor(size), latest - time * 1_000n];
    if (late > COSIGNED_WITHIN_MS) {
      const what = `its checkpoint of ${size} entries was not the newest: orders were accepted for ${late} ms after it`;
      faultAt(report, "epochs", index, `epoch ${e}: ${what}`);
    } else if (age > OLD_MS) noteAt(report, "epochs", index, `epoch ${e}: its checkpoint was ${age / 1_000n} s old`);
    if (policy.witnessKeys.length === 0) return;
    if (isPinned) {
      for (const each of strangers) {
        faultAt(
          report,
          "epochs",
          each.index,
          `epoch ${each.e}: ${each.name} was mixed in between two pinned witnesses`,
        );
      }
      strangers = [];
      isPinnedKnown = true;
      return;
    }
    noteAt(report, "epochs", index, `epoch ${e}: mixed in was ${name}, a witness that is not pinned`);
    if (isPinnedKnown) strangers.push({ index, e, name });
  }

  return {
    accept(index, acceptedAt) {
      if (acceptedAt > newestAccepted) newestAccepted = acceptedAt;
      const last = accepted.at(-1);
      if (committed.size > 0 && acceptedAt >= (last?.at ?? 0n) + SAMPLE_MS) accepted.push({ index, at: acceptedAt });
    },
    commit(index, e) {
      if (newestCommit !== null && e > newestCommit + 1n) {
        faultAt(report, "epochs", index, `the commit of epoch ${e} follows that of ${newestCommit}`);
      }
      if (newestCommit === null) lastOpened = e - 1n;
      if (newestCommit === null || e > newestCommit) newestCommit = e;
      committed.set(e, index);
    },
    open(index, { e }) {
      if (lastOpened !== null && e !== lastOpened && e !== lastOpened + 1n) {
        faultAt(report, "epochs", index, `epoch ${e} was opened, and due was epoch ${lastOpened + 1n}`);
      }
      lastOpened = e;
      opened += 1;
    },
    mixed(index, e, { checkpoint, by }, latest) {
      if (by !== null) witnessed(index, e, checkpoint?.size ?? 0, by, latest);
      else if (checkpoint === null) unwitnessed(index, e, "nothing was mixed in but the commit itself");
      else if (policy.witnessKeys.length > 0) unwitnessed(index, e, "no witness's cosignature was mixed in");
      committed.delete(e);
      const oldest = Math.min(...committed.values(), index);
      accepted = accepted.filter((each) => each.index >= oldest);
    },
  };
}
