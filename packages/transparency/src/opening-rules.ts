import type { LogPolicy } from "./checkpoint.ts";
import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, noteAt, type Report } from "./log-finding.ts";
import type { MixFinding } from "./sm1-proof.ts";

/** Orders are accepted only while the newest cosigned checkpoint is some seconds old: this leaves room for slow writers. */
const COSIGNED_WITHIN_MS = 60_000n;
/** A witness that is away is waited for until so shortly before the start, with some seconds for the house's clocks. */
const WAITED_UNTIL_MS = 45_000n;
/** Commits are made two epochs ahead of the open ones: a start that comes so soon after one leaves no time to wait. */
const WAITED_AT_LEAST_MS = 300_000n;
/** Acceptances are remembered so far apart. */
const SAMPLE_MS = 1_000n;
/** A log in which so many epochs were opened has long been cosigned. */
const FIRST_EPOCHS = 6;

type MixOf = Extract<MixFinding, { ok: true }>;

interface Commit {
  readonly index: number;
  /** The newest moment that the log told of before it. */
  readonly told: bigint;
}

/** Opened without its witness, who was there all the same if orders were accepted behind the commit. */
interface Unsigned {
  readonly index: number;
  readonly what: string;
  /** Orders that were accepted from here on would have needed no witness. */
  readonly until: bigint;
  /** The first order behind the commit. */
  readonly first: bigint | null;
}

/**
 * What keeps the house from choosing between paths: epochs are committed to and opened by their numbers, none left out, and
 * the witness that the commit names makes the mix. That they were there is shown by the orders that were accepted: the log
 * does not go on from a commit, and no order is taken, before they have signed it.
 */
export interface OpeningRules {
  accept(index: number, acceptedAt: bigint): void;
  commit(index: number, entry: LogEntryOf<"epoch.commit">, latest: bigint): void;
  /** In order of their entries, before the mix is looked at. */
  open(index: number, entry: LogEntryOf<"epoch.open">): void;
  mixed(index: number, entry: LogEntryOf<"epoch.open">, mix: MixOf): void;
}

/** `present`: verifier keys of the witnesses that cosigned the checkpoint which is examined. */
export function createOpeningRules(report: Report, policy: LogPolicy, present: ReadonlySet<string>): OpeningRules {
  let newestCommit: bigint | null = null;
  let lastOpened: bigint | null = null;
  let [opened, isEverSigned] = [0, false];
  /** Since the first commit that is not opened yet. */
  let accepted: { readonly index: number; readonly at: bigint }[] = [];
  const committed = new Map<bigint, Commit>();
  let isPinnedKnown = false;
  /** Mixed by somebody else since a pinned witness was last mixed in. */
  let strangers: { readonly index: number; readonly e: bigint; readonly name: string }[] = [];
  let unsigned: Unsigned[] = [];

  function acceptedFor(one: Unsigned, acceptedAt: bigint): Unsigned | null {
    if (acceptedAt >= one.until) return one;
    if (one.first === null) return { ...one, first: acceptedAt };
    if (acceptedAt <= one.first + COSIGNED_WITHIN_MS) return one;
    faultAt(report, "epochs", one.index, `${one.what}, though checkpoints were cosigned in time`);
    return null;
  }

  /** What the house alone could know: only where its witness was away, or there was none yet. */
  function withoutWitness(index: number, { e, start }: LogEntryOf<"epoch.open">, { checkpoint, witness }: MixOf): void {
    if (checkpoint !== null && (policy.witnessKeys.length === 0 || witness === null)) return;
    const how =
      checkpoint === null ? "nothing was mixed in but the commit itself" : "no witness's signature was mixed in";
    const what = `epoch ${e}: ${how}`;
    const commit = committed.get(e);
    // One who was taken out while they were away does not cosign any more.
    const isThere = witness?.isPinned === true && present.has(witness.key);
    if (!isThere || commit === undefined || !(isEverSigned || opened > FIRST_EPOCHS)) {
      noteAt(report, "epochs", index, what);
      return;
    }
    if (start < commit.told + WAITED_AT_LEAST_MS) {
      faultAt(report, "epochs", index, `${what}, and its witness was not waited for`);
      return;
    }
    let one: Unsigned | null = { index, what, until: start - WAITED_UNTIL_MS, first: null };
    for (const each of accepted) if (one !== null && each.index > commit.index) one = acceptedFor(one, each.at);
    if (one === null) return;
    noteAt(report, "epochs", index, what);
    // Orders behind the opening tell as much, as long as the witness was to be waited for.
    unsigned = [...unsigned.slice(-3), one];
  }

  function named(index: number, e: bigint, { checkpoint, witness }: MixOf): void {
    if (witness?.signed === true) isEverSigned = true;
    if (policy.witnessKeys.length === 0) return;
    if (witness?.isPinned === true) {
      // One who never signs without a time is named no more once that is known.
      if (!witness.signed) return;
      for (const each of strangers) {
        const what = `its commit names ${each.name} between two pinned witnesses`;
        faultAt(report, "epochs", each.index, `epoch ${each.e}: ${what}`);
      }
      strangers = [];
      isPinnedKnown = true;
      return;
    }
    if (witness === null) {
      const what = `epoch ${e}: its commit names no witness: the house alone made its mix`;
      if (isPinnedKnown) faultAt(report, "epochs", index, what);
      // Of the commit alone it is said already.
      else if (checkpoint !== null) noteAt(report, "epochs", index, what);
      return;
    }
    const { name } = witness;
    noteAt(report, "epochs", index, `epoch ${e}: its commit names ${name}, a witness that is not pinned`);
    if (isPinnedKnown) strangers.push({ index, e, name });
  }

  return {
    accept(index, acceptedAt) {
      const last = accepted.at(-1);
      if (committed.size > 0 && acceptedAt >= (last?.at ?? 0n) + SAMPLE_MS) accepted.push({ index, at: acceptedAt });
      if (unsigned.length > 0) unsigned = unsigned.flatMap((one) => acceptedFor(one, acceptedAt) ?? []);
    },
    commit(index, { e }, latest) {
      if (newestCommit !== null && e > newestCommit + 1n) {
        faultAt(report, "epochs", index, `the commit of epoch ${e} follows that of ${newestCommit}`);
      }
      if (newestCommit === null) lastOpened = e - 1n;
      if (newestCommit === null || e > newestCommit) newestCommit = e;
      committed.set(e, { index, told: latest });
    },
    open(index, { e }) {
      if (lastOpened !== null && e !== lastOpened && e !== lastOpened + 1n) {
        faultAt(report, "epochs", index, `epoch ${e} was opened, and due was epoch ${lastOpened + 1n}`);
      }
      lastOpened = e;
      opened += 1;
    },
    mixed(index, entry, mix) {
      const { e } = entry;
      if (mix.witness?.signed !== true) withoutWitness(index, entry, mix);
      named(index, e, mix);
      committed.delete(e);
      const oldest = Math.min(...[...committed.values()].map((each) => each.index), index);
      accepted = accepted.filter((each) => each.index >= oldest);
    },
  };
}
