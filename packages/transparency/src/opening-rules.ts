import type { LogPolicy } from "./checkpoint.ts";
import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, noteAt, type Report } from "./log-finding.ts";
import type { MixFinding } from "./sm1-proof.ts";

/**
 * Orders this far apart after a commit prove that checkpoints were cosigned in between, ms. Orders are only accepted
 * while the newest cosigned checkpoint is a few seconds old; the rest allows for slow writers.
 */
const COSIGNED_WITHIN_MS = 60_000n;
/**
 * How long before an epoch's start the house stops waiting for an absent witness, ms, with some seconds for its clocks.
 */
const WAITED_UNTIL_MS = 45_000n;
/** The least time from a commit to its epoch's start that allows for waiting, ms. Commits are made two epochs ahead. */
const WAITED_AT_LEAST_MS = 300_000n;
/** Remembered acceptances are at least this far apart, ms. */
const SAMPLE_MS = 1_000n;
/** A log with more opened epochs than this must have been cosigned by its witness already. */
const FIRST_EPOCHS = 6;

type MixOf = Extract<MixFinding, { ok: true }>;

interface Commit {
  readonly index: number;
  /** The newest moment of the log before it, ms. */
  readonly told: bigint;
}

/** An epoch opened without its witness's signature. Orders accepted after the commit can prove that it was there. */
interface Unsigned {
  readonly index: number;
  readonly what: string;
  /** Orders accepted from this moment on prove nothing about the witness, ms. */
  readonly until: bigint;
  /** Acceptance time of the first order after the commit, ms. */
  readonly first: bigint | null;
}

/**
 * Rules that keep the house from choosing between price paths: epochs are committed to and opened in order of their
 * numbers with none left out, and the witness that a commit names makes the mix. Accepted orders prove that the witness
 * was there, because no order is accepted after a commit until the witness has signed it.
 */
export interface OpeningRules {
  accept(index: number, acceptedAt: bigint): void;
  commit(index: number, entry: LogEntryOf<"epoch.commit">, latest: bigint): void;
  /** Checks an opening's number. Called in order of entries, before `mixed`. */
  open(index: number, entry: LogEntryOf<"epoch.open">): void;
  /** Checks who made an opening's mix. */
  mixed(index: number, entry: LogEntryOf<"epoch.open">, mix: MixOf): void;
}

/** Creates the rules. `present`: verifier keys of the witnesses that cosigned the examined checkpoint. */
export function createOpeningRules(report: Report, policy: LogPolicy, present: ReadonlySet<string>): OpeningRules {
  return new LoggedOpenings(report, policy, present);
}

class LoggedOpenings implements OpeningRules {
  readonly #report: Report;
  readonly #policy: LogPolicy;
  readonly #present: ReadonlySet<string>;
  #newestCommit: bigint | null = null;
  #lastOpened: bigint | null = null;
  #opened = 0;
  #isEverSigned = false;
  /** Samples of acceptances since the first commit that is not opened yet. */
  #accepted: { readonly index: number; readonly at: bigint }[] = [];
  readonly #committed = new Map<bigint, Commit>();
  #isPinnedKnown = false;
  /** Epochs whose commit named an unpinned witness since a pinned witness last made a mix. */
  #strangers: { readonly index: number; readonly e: bigint; readonly name: string }[] = [];
  #unsigned: Unsigned[] = [];

  constructor(report: Report, policy: LogPolicy, present: ReadonlySet<string>) {
    this.#report = report;
    this.#policy = policy;
    this.#present = present;
  }

  accept(index: number, acceptedAt: bigint): void {
    const isSample = acceptedAt >= (this.#accepted.at(-1)?.at ?? 0n) + SAMPLE_MS;
    if (this.#committed.size > 0 && isSample) this.#accepted.push({ index, at: acceptedAt });
    if (this.#unsigned.length > 0)
      this.#unsigned = this.#unsigned.flatMap((one) => this.#acceptedFor(one, acceptedAt) ?? []);
  }

  commit(index: number, { e }: LogEntryOf<"epoch.commit">, latest: bigint): void {
    const newest = this.#newestCommit;
    // Neither one ahead nor one again: a number that is committed to a second time, even after its seed was revealed,
    // is a second path to choose from.
    if (newest !== null && e !== newest + 1n) this.#fault(index, `the commit of epoch ${e} follows that of ${newest}`);
    if (newest === null) this.#lastOpened = e - 1n;
    if (newest === null || e > newest) this.#newestCommit = e;
    this.#committed.set(e, { index, told: latest });
  }

  open(index: number, { e }: LogEntryOf<"epoch.open">): void {
    const last = this.#lastOpened;
    if (last !== null && e !== last + 1n) {
      this.#fault(index, `epoch ${e} was opened, and due was epoch ${last + 1n}`);
    }
    this.#lastOpened = e;
    this.#opened += 1;
  }

  mixed(index: number, entry: LogEntryOf<"epoch.open">, mix: MixOf): void {
    const { e } = entry;
    if (mix.witness?.signed !== true) this.#checkUnsigned(index, entry, mix);
    this.#checkNamed(index, e, mix);
    this.#committed.delete(e);
    const oldest = Math.min(...[...this.#committed.values()].map((each) => each.index), index);
    this.#accepted = this.#accepted.filter((each) => each.index >= oldest);
  }

  /** Checks an opening without a witness's signature, allowed only if the witness was away or there was none yet. */
  #checkUnsigned(index: number, { e, start }: LogEntryOf<"epoch.open">, { checkpoint, witness }: MixOf): void {
    if (checkpoint !== null && (this.#policy.witnessKeys.length === 0 || witness === null)) return;
    const how =
      checkpoint === null ? "nothing was mixed in but the commit itself" : "no witness's signature was mixed in";
    const what = `epoch ${e}: ${how}`;
    const commit = this.#committed.get(e);
    // A witness that was removed while it was away no longer cosigns.
    const isThere = witness?.isPinned === true && this.#present.has(witness.key);
    if (!isThere || commit === undefined || !(this.#isEverSigned || this.#opened > FIRST_EPOCHS)) {
      this.#note(index, what);
    } else if (start < commit.told + WAITED_AT_LEAST_MS) {
      this.#fault(index, `${what}, and its witness was not waited for`);
    } else {
      this.#judgeByOrders({ index, what, until: start - WAITED_UNTIL_MS, first: null }, commit);
    }
  }

  /** Reports a fault if orders prove that the witness was there; else adds a note and keeps watching later orders. */
  #judgeByOrders(opening: Unsigned, commit: Commit): void {
    let one: Unsigned | null = opening;
    for (const { index, at } of this.#accepted)
      if (one !== null && index > commit.index) one = this.#acceptedFor(one, at);
    if (one === null) return;
    this.#note(one.index, one.what);
    // Orders after the opening prove as much, if they were accepted while the house still had to wait for the witness.
    this.#unsigned = [...this.#unsigned.slice(-3), one];
  }

  /** Updates an opening after an order. Null, with a fault reported, once orders prove that the witness was there. */
  #acceptedFor(one: Unsigned, acceptedAt: bigint): Unsigned | null {
    if (acceptedAt >= one.until) return one;
    if (one.first === null) return { ...one, first: acceptedAt };
    if (acceptedAt <= one.first + COSIGNED_WITHIN_MS) return one;
    this.#fault(one.index, `${one.what}, though checkpoints were cosigned in time`);
    return null;
  }

  /**
   * Checks who was named to make the mix. Once a pinned witness has made one, a later commit must name a witness, and no
   * unpinned one may make a mix between two pinned ones.
   */
  #checkNamed(index: number, e: bigint, { checkpoint, witness }: MixOf): void {
    if (witness?.signed === true) this.#isEverSigned = true;
    if (this.#policy.witnessKeys.length === 0) return;
    if (witness === null) {
      const what = `epoch ${e}: its commit names no witness: the house alone made its mix`;
      if (this.#isPinnedKnown) this.#fault(index, what);
      // Without a checkpoint, `#checkUnsigned` has already added a note.
      else if (checkpoint !== null) this.#note(index, what);
    } else if (witness.isPinned) {
      // The house stops naming a witness that makes no timeless signatures, so only signed mixes count.
      if (witness.signed) this.#faultStrangers();
    } else {
      const { name } = witness;
      this.#note(index, `epoch ${e}: its commit names ${name}, a witness that is not pinned`);
      if (this.#isPinnedKnown) this.#strangers.push({ index, e, name });
    }
  }

  /**
   * Called when a pinned witness made a mix; reports the unpinned ones that were named since the last pinned witness.
   */
  #faultStrangers(): void {
    for (const { index, e, name } of this.#strangers) {
      this.#fault(index, `epoch ${e}: its commit names ${name} between two pinned witnesses`);
    }
    this.#strangers = [];
    this.#isPinnedKnown = true;
  }

  #fault(index: number, what: string): void {
    faultAt(this.#report, "epochs", index, what);
  }

  #note(index: number, what: string): void {
    noteAt(this.#report, "epochs", index, what);
  }
}
