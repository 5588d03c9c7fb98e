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
  /** Since the first commit that is not opened yet. */
  #accepted: { readonly index: number; readonly at: bigint }[] = [];
  readonly #committed = new Map<bigint, Commit>();
  #isPinnedKnown = false;
  /** Mixed by somebody else since a pinned witness was last mixed in. */
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
    if (newest !== null && e > newest + 1n) this.#fault(index, `the commit of epoch ${e} follows that of ${newest}`);
    if (newest === null) this.#lastOpened = e - 1n;
    if (newest === null || e > newest) this.#newestCommit = e;
    this.#committed.set(e, { index, told: latest });
  }

  open(index: number, { e }: LogEntryOf<"epoch.open">): void {
    const last = this.#lastOpened;
    if (last !== null && e !== last && e !== last + 1n) {
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

  /** What the house alone could know: only where its witness was away, or there was none yet. */
  #checkUnsigned(index: number, { e, start }: LogEntryOf<"epoch.open">, { checkpoint, witness }: MixOf): void {
    if (checkpoint !== null && (this.#policy.witnessKeys.length === 0 || witness === null)) return;
    const how =
      checkpoint === null ? "nothing was mixed in but the commit itself" : "no witness's signature was mixed in";
    const what = `epoch ${e}: ${how}`;
    const commit = this.#committed.get(e);
    // One who was taken out while they were away does not cosign any more.
    const isThere = witness?.isPinned === true && this.#present.has(witness.key);
    if (!isThere || commit === undefined || !(this.#isEverSigned || this.#opened > FIRST_EPOCHS)) {
      this.#note(index, what);
    } else if (start < commit.told + WAITED_AT_LEAST_MS) {
      this.#fault(index, `${what}, and its witness was not waited for`);
    } else {
      this.#judgeByOrders({ index, what, until: start - WAITED_UNTIL_MS, first: null }, commit);
    }
  }

  /** Faults an opening whose witness was there, as orders show; else notes it, and goes on looking at orders. */
  #judgeByOrders(opening: Unsigned, commit: Commit): void {
    let one: Unsigned | null = opening;
    for (const { index, at } of this.#accepted)
      if (one !== null && index > commit.index) one = this.#acceptedFor(one, at);
    if (one === null) return;
    this.#note(one.index, one.what);
    // Orders behind the opening tell as much, as long as the witness was to be waited for.
    this.#unsigned = [...this.#unsigned.slice(-3), one];
  }

  /** Answers what is known of the opening after an order; null once that order showed the witness to be there: a fault. */
  #acceptedFor(one: Unsigned, acceptedAt: bigint): Unsigned | null {
    if (acceptedAt >= one.until) return one;
    if (one.first === null) return { ...one, first: acceptedAt };
    if (acceptedAt <= one.first + COSIGNED_WITHIN_MS) return one;
    this.#fault(one.index, `${one.what}, though checkpoints were cosigned in time`);
    return null;
  }

  /** Checks who was named to make the mix: pinned witnesses, once there were any, with nobody else in between. */
  #checkNamed(index: number, e: bigint, { checkpoint, witness }: MixOf): void {
    if (witness?.signed === true) this.#isEverSigned = true;
    if (this.#policy.witnessKeys.length === 0) return;
    if (witness === null) {
      const what = `epoch ${e}: its commit names no witness: the house alone made its mix`;
      if (this.#isPinnedKnown) this.#fault(index, what);
      // Of the commit alone it is said already.
      else if (checkpoint !== null) this.#note(index, what);
    } else if (witness.isPinned) {
      // One who never signs without a time is named no more once that is known.
      if (witness.signed) this.#faultStrangers();
    } else {
      const { name } = witness;
      this.#note(index, `epoch ${e}: its commit names ${name}, a witness that is not pinned`);
      if (this.#isPinnedKnown) this.#strangers.push({ index, e, name });
    }
  }

  /** A pinned witness made a mix: those who did since the one before stood between two pinned ones. */
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
