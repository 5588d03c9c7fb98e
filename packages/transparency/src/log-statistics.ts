import type { Direction } from "@fairtick/domain";
import { ROUND_SIGNATURE_BYTES } from "./beacon.ts";
import type { LogEntry, LogEntryOf } from "./log-entry.ts";
import type { SettledOrder } from "./order-entry.ts";
import type { OpenedRefusals, RefusalBook } from "./refused-openings.ts";
import type { WinCount } from "./win-rates.ts";

/** Number of orders by direction; `sealed` counts those that were never opened. */
export type BySide = Readonly<Partial<Record<Direction | "sealed", number>>>;

/** A range of batch numbers that the log doesn't have, both ends included. */
export interface MissingBatches {
  readonly from: number;
  readonly to: number;
}

/**
 * A beacon's rounds that all epochs show. `missing`: those of them that never came, says the house, which knows by then
 * what prices they would have made.
 */
export interface CountedRounds {
  readonly shown: number;
  readonly missing: number;
}

/** Kinds of entries that change terms or how prices are made. */
const CHANGE_KINDS = ["config", "policy", "params", "params.pyth", "source"] as const;
type ChangeKind = (typeof CHANGE_KINDS)[number];
type ChangeEntry = LogEntryOf<ChangeKind>;

/** The most changes of a kind that are listed. */
const LISTED_MAX = 20;

/** An entry that changes something. */
export interface LoggedChange {
  readonly index: number;
  readonly entry: ChangeEntry;
  /** The newest moment of the entries before it, ms; 0 if none has one. */
  readonly loggedAfter: bigint;
}

/** The first changes of a kind, and how many more there are. */
export interface ListedChanges {
  readonly first: readonly LoggedChange[];
  readonly more: number;
}

/**
 * Counts of events that are no faults by themselves. They can reveal a house that favours one side, stops at convenient
 * moments or keeps changing its terms.
 */
export interface LogStatistics {
  /** Over all settled orders. */
  readonly wins: WinCount;
  readonly tied: number;
  readonly unrevealed: number;
  readonly winsBySide: Readonly<Record<Direction, WinCount>>;
  /** By reason, then by side. */
  readonly voids: ReadonlyMap<string, BySide>;
  /** Signed refusals by reason. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Batch numbers below the highest one that no entry has. Those batches were rolled back or left out. */
  readonly missingBatches: readonly MissingBatches[];
  readonly batches: number;
  readonly rounds: CountedRounds;
  /**
   * Entries that change terms or how prices are made, by name: `config`, `policy <name>`, `params`, `params.pyth`,
   * `source <symbol>`.
   */
  readonly changes: ReadonlyMap<string, number>;
  /** The same entries by kind. */
  readonly changed: ReadonlyMap<ChangeKind, ListedChanges>;
  /** Number and total length (ms) of incidents, by part. */
  readonly pauses: ReadonlyMap<string, { readonly count: number; readonly ms: bigint }>;
  /** Refusals that members opened; null if none were given. */
  readonly opened: OpenedRefusals | null;
}

export interface StatisticsBook {
  /** Adds the entry at `index`. `latest`: the newest moment of the log so far, ms. */
  add(index: number, entry: LogEntry, latest: bigint): void;
  read(): LogStatistics;
}

/** Creates the counters for one walk through a log. `opened`: refusals that members opened; null if none were given. */
export function createStatistics(opened: RefusalBook | null): StatisticsBook {
  const sides = { up: { won: 0, decided: 0 }, down: { won: 0, decided: 0 } };
  let [tied, unrevealed] = [0, 0];
  const voids = new Map<string, Partial<Record<Direction | "sealed", number>>>();
  const refusals = new Map<string, number>();
  const changeBook = createChangeBook();
  const pauses = new Map<string, { count: number; ms: bigint }>();
  const batches = new Set<number>();
  let rounds: CountedRounds = { shown: 0, missing: 0 };

  function settle({ outcome, voidReason, direction }: SettledOrder): void {
    if (outcome === "tied") tied += 1;
    if (outcome === "unrevealed") unrevealed += 1;
    if (voidReason !== null) {
      const counts = voids.get(voidReason) ?? {};
      const side = direction ?? "sealed";
      counts[side] = (counts[side] ?? 0) + 1;
      voids.set(voidReason, counts);
    }
    if (direction === null || (outcome !== "won" && outcome !== "lost")) return;
    sides[direction].decided += 1;
    if (outcome === "won") sides[direction].won += 1;
  }

  function pause({ part, symbol, from, to }: LogEntryOf<"incident">): void {
    const name = symbol === undefined ? part : `${part} of ${symbol}`;
    const before = pauses.get(name) ?? { count: 0, ms: 0n };
    pauses.set(name, { count: before.count + 1, ms: before.ms + to - from });
  }

  return {
    add(index, entry, latest) {
      opened?.add(entry);
      if (entry.kind === "orders.settle") for (const order of entry.orders) settle(order);
      else if (entry.kind === "orders.accept") {
        batches.add(entry.batch);
        for (const [reason, count] of entry.reasons) refusals.set(reason, (refusals.get(reason) ?? 0) + count);
      } else if (entry.kind === "incident") pause(entry);
      else if (entry.kind === "epoch.reveal") rounds = addRounds(rounds, entry);
      else if (isChange(entry)) changeBook.add({ index, entry, loggedAfter: latest });
    },
    read: () => ({
      wins: { won: sides.up.won + sides.down.won, decided: sides.up.decided + sides.down.decided },
      tied,
      unrevealed,
      winsBySide: sides,
      voids,
      refusals,
      missingBatches: findMissing(batches),
      batches: batches.size,
      rounds,
      ...changeBook.read(),
      pauses,
      opened: opened?.counts() ?? null,
    }),
  };
}

/** Adds an epoch's rounds. One that never came is shown as zeros. */
function addRounds({ shown, missing }: CountedRounds, { rounds }: LogEntryOf<"epoch.reveal">): CountedRounds {
  const bytes = rounds?.signatures ?? new Uint8Array();
  const count = bytes.length / ROUND_SIGNATURE_BYTES;
  const zeros = Array.from({ length: count }, (_, place) =>
    bytes.subarray(place * ROUND_SIGNATURE_BYTES, (place + 1) * ROUND_SIGNATURE_BYTES).every((byte) => byte === 0),
  ).filter(Boolean);
  return { shown: shown + count, missing: missing + zeros.length };
}

/** Counts changes by name, and lists the first ones of each kind. */
function createChangeBook() {
  const changes = new Map<string, number>();
  const changed = new Map<ChangeKind, { first: LoggedChange[]; more: number }>();
  return {
    add(change: LoggedChange): void {
      const { entry } = change;
      const name = nameOfChange(entry);
      changes.set(name, (changes.get(name) ?? 0) + 1);
      const listed = changed.get(entry.kind) ?? { first: [], more: 0 };
      if (listed.first.length < LISTED_MAX) listed.first.push(change);
      else listed.more += 1;
      changed.set(entry.kind, listed);
    },
    read: (): Pick<LogStatistics, "changes" | "changed"> => ({ changes, changed }),
  };
}

function isChange(entry: LogEntry): entry is ChangeEntry {
  return CHANGE_KINDS.some((kind) => kind === entry.kind);
}

function nameOfChange(entry: ChangeEntry): string {
  if (entry.kind === "policy") return `policy ${entry.name}`;
  return entry.kind === "source" ? `source ${entry.symbol}` : entry.kind;
}

/**
 * Finds missing batch numbers. Numbers are assigned in sequence from 1, so a missing one was assigned but never logged.
 */
function findMissing(numbers: ReadonlySet<number>): MissingBatches[] {
  const missing: MissingBatches[] = [];
  let next = 1;
  for (const number of [...numbers].toSorted((left, right) => left - right)) {
    if (number > next) missing.push({ from: next, to: number - 1 });
    next = number + 1;
  }
  return missing;
}
