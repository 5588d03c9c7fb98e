import {
  equalBytes,
  SM1_EPOCH_MS,
  sm1Start,
  sm1TickTime,
  toHex,
  utf8,
  type Hashes,
  type Instant,
  type Sm1State,
  type Sm1Tick,
  type Tick,
} from "@fairtick/domain";
import { createBeaconRules } from "./beacon-rules.ts";
import type { LogPolicy } from "./checkpoint.ts";
import { gapFault, type IncidentLedger } from "./incident-ledger.ts";
import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, noteAt, type Report } from "./log-finding.ts";
import { createOpeningRules } from "./opening-rules.ts";
import type { PriceBook } from "./price-book.ts";
import { isSimulated, type SourceLedger } from "./source-ledger.ts";
import { checkMix, checkSeed, isInEpoch, replayEpoch } from "./sm1-proof.ts";
import { checkRounds } from "./sm2-proof.ts";
import { openTileTree, type LogReader } from "./tile-tree.ts";

const OPEN_NOTICE_MS = 30_000n;
/** What is committed to stands in the log this long before it is opened; less is a note. */
const COMMIT_NOTICE_MS = 30_000n;
/** A seed is published within ten seconds of its epoch's end; later is a note. */
const REVEAL_NOTICE_MS = 10_000n;
/**
 * A log that tells of moments so far apart after an epoch's end, and not of its seed, withholds it. So does one that has a
 * simulated price from after its end: the market that made it ran, and reveals before it writes its minutes.
 */
const REVEAL_WITHIN_MS = 60_000n;

export interface EpochLedgerParts {
  readonly hashes: Hashes;
  readonly reader: LogReader;
  readonly policy: LogPolicy;
  readonly report: Report;
  readonly book: PriceBook;
  readonly sources: SourceLedger;
  readonly incidents: IncidentLedger;
  /** Verifier keys of the witnesses that cosigned the checkpoint which is examined. */
  readonly present: ReadonlySet<string>;
}

interface Epoch {
  readonly commit: LogEntryOf<"epoch.commit">;
  readonly commitIndex: number;
  /** The newest moment that the log told of before the commit. */
  readonly told: bigint;
  open?: LogEntryOf<"epoch.open">;
  openIndex?: number;
  /** The first moment after its end that the log told of: before, it may have stood still for long. */
  over?: bigint;
  /** Its prices, of each symbol, where the book would have forgotten them before its seed comes. */
  readonly kept: Map<string, readonly Tick[]>;
}

interface Opening {
  readonly open: LogEntryOf<"epoch.open">;
  /** Empty: nobody knows. */
  readonly symbols: ReadonlySet<string>;
}

/** An instrument's replayed epoch whose prices are not all in the log yet. */
interface Awaited {
  readonly index: number;
  readonly symbol: string;
  readonly open: LogEntryOf<"epoch.open">;
  readonly ticks: readonly Sm1Tick[];
  /** Its prices where they were kept. */
  readonly logged: readonly Tick[] | null;
}

/** The simulated market: committed before, opened in time, revealed after, and every price made again from its seed. */
export interface EpochLedger {
  params(text: string, entry: LogEntryOf<"params">): void;
  accept(index: number, entry: LogEntryOf<"orders.accept">): void;
  commit(index: number, entry: LogEntryOf<"epoch.commit">, latest: bigint): void;
  /** `latest`: the newest moment that an earlier entry tells of. */
  open(index: number, entry: LogEntryOf<"epoch.open">, latest: bigint): Promise<void>;
  reveal(index: number, entry: LogEntryOf<"epoch.reveal">, latest: bigint): void;
  /** A minute of so many ticks has come into the book: compares what was waiting for it. */
  pricesAdded(index: number, symbol: string, count: number): void;
  /** The book forgets what is older: prices of epochs whose seed is still to come are kept apart. */
  keep(before: bigint): void;
  /** Prices that are older are not needed for an epoch of which the log has not all of this symbol's yet. */
  neededFrom(symbol: string): bigint | null;
  /** The log tells of a moment. */
  tell(moment: bigint): void;
  /** Reports seeds that were withheld. */
  finish(latest: bigint): void;
  count(): number;
}

export function createEpochLedger(parts: EpochLedgerParts): EpochLedger {
  const { hashes, reader, policy, report, book, sources, incidents } = parts;
  const rules = createOpeningRules(report, policy, parts.present);
  const beacons = createBeaconRules(report);
  const paramsByHash = new Map<string, { text: string; entry: LogEntryOf<"params"> }>();
  const epochs = new Map<bigint, Epoch>();
  const ends = new Map<string, Sm1State>();
  /** Of the newest commit: what holds as long as the log says nothing of an instrument's source. */
  let simulated = new Set<string>();
  let awaited: Awaited[] = [];
  let openings: Opening[] = [];
  let revealed = 0;

  /** Of what the epoch made, what the house had to publish: an instrument may join and leave in the middle. */
  function owed({ symbol, open, ticks }: Awaited, logged: readonly Tick[]): (Sm1Tick & { readonly time: Instant })[] {
    return ticks.flatMap((made) => {
      const time = sm1TickTime(open.start, made.t);
      if (isSimulated(sources, symbol, { time }) === false) return [];
      // Between the last tick and the other source the market stood still.
      const left = sources.leftAt(symbol, time);
      const isLeftOut = left !== null && !logged.some((tick) => tick.time >= time && tick.time < left);
      return isLeftOut ? [] : [{ ...made, time }];
    });
  }

  function compare(one: Awaited): void {
    const { index, symbol, open } = one;
    const within = one.logged ?? book.ticks(symbol).filter((tick) => isInEpoch(open, tick));
    const logged = within.filter((tick) => isSimulated(sources, symbol, tick) !== false);
    const ticks = owed(one, logged);
    for (const [place, made] of ticks.entries()) {
      const tick = logged[place];
      if (tick === undefined || tick.time !== made.time || tick.price !== made.mid) {
        faultAt(
          report,
          "epochs",
          index,
          `epoch ${open.e}: tick ${made.t} of ${symbol} is not the one that was published`,
        );
        return;
      }
    }
    if (logged.length !== ticks.length)
      faultAt(report, "epochs", index, `epoch ${open.e}: ${symbol} has ticks that no seed made`);
  }

  /** Whether a tick that the simulated market must have made is from no epoch. */
  function isOutside(symbol: string, tick: Tick): boolean {
    const must = isSimulated(sources, symbol, tick);
    if (!(must ?? simulated.has(symbol))) return false;
    return !openings.some(({ open, symbols }) => isInEpoch(open, tick) && (must === null || symbols.has(symbol)));
  }

  return {
    params(text, entry) {
      paramsByHash.set(toHex(hashes.sha256(utf8(text))), { text, entry });
    },
    accept: (index, { acceptedAt }) => rules.accept(index, acceptedAt),
    commit(index, entry, latest) {
      rules.commit(index, entry, latest);
      if (epochs.has(entry.e)) faultAt(report, "epochs", index, `epoch ${entry.e} is committed to twice`);
      const params = paramsByHash.get(toHex(entry.params));
      if (params === undefined) {
        faultAt(report, "epochs", index, `epoch ${entry.e} names params that are not in the log before it`);
      } else {
        simulated = new Set(params.entry.instruments.map((one) => one.symbol));
        beacons.commit(index, entry.e, params.entry.beacon);
      }
      epochs.set(entry.e, { commit: entry, commitIndex: index, told: latest, kept: new Map() });
    },
    async open(index, entry, latest) {
      rules.open(index, entry);
      const epoch = epochs.get(entry.e);
      const last = openings.at(-1)?.open;
      const params = epoch && paramsByHash.get(toHex(epoch.commit.params));
      const symbols = new Set(params?.entry.instruments.map((one) => one.symbol));
      openings = [...openings.slice(-3), { open: entry, symbols }];
      if (last !== undefined && entry.start < last.start + SM1_EPOCH_MS) {
        faultAt(report, "epochs", index, `epoch ${entry.e} starts before the one before it is over`);
      }
      const gap = last === undefined ? null : gapFault(incidents, index, entry, last.start + SM1_EPOCH_MS);
      if (gap !== null) faultAt(report, "epochs", index, gap);
      if (latest > entry.start) faultAt(report, "epochs", index, `epoch ${entry.e} was opened after its start`);
      else if (latest > entry.start - OPEN_NOTICE_MS) noteAt(report, "epochs", index, `epoch ${entry.e}: short notice`);
      if (epoch === undefined) {
        faultAt(report, "epochs", index, `epoch ${entry.e} was never committed to`);
        return;
      }
      if (epoch.open !== undefined) faultAt(report, "epochs", index, `epoch ${entry.e} is opened twice`);
      if (latest > 0n && latest < epoch.told + COMMIT_NOTICE_MS) {
        noteAt(report, "epochs", index, `epoch ${entry.e}: short notice between its commit and its opening`);
      }
      epoch.open = entry;
      epoch.openIndex = index;
      const mix = checkMix(hashes, entry, { ...epoch.commit, index: epoch.commitIndex }, policy);
      if (!mix.ok) {
        faultAt(report, "epochs", index, `epoch ${entry.e}: ${mix.fault}`);
        return;
      }
      rules.mixed(index, entry, mix);
      if (mix.checkpoint === null) return;
      const { size, root } = mix.checkpoint;
      if (size > index || !equalBytes(await openTileTree(hashes, reader, size).root(), root)) {
        faultAt(report, "epochs", index, `epoch ${entry.e}: its checkpoint is none of this log`);
      }
    },
    reveal(index, entry, latest) {
      const epoch = epochs.get(entry.e);
      const params = epoch && paramsByHash.get(toHex(epoch.commit.params));
      if (epoch?.open === undefined || params === undefined) {
        faultAt(report, "epochs", index, `epoch ${entry.e} is revealed without being opened`);
        return;
      }
      epochs.delete(entry.e);
      const { commit, open, kept } = epoch;
      if (latest > open.start + SM1_EPOCH_MS + REVEAL_NOTICE_MS) {
        noteAt(report, "epochs", index, `epoch ${entry.e}: its seed was revealed late`);
      }
      const evidence = { paramsText: params.text, params: params.entry, commit, open, reveal: entry };
      const fault = checkSeed(hashes, evidence);
      if (fault !== null) faultAt(report, "epochs", index, `epoch ${entry.e}: ${fault}`);
      const rounds = checkRounds(hashes, evidence);
      beacons.revealed(index, entry.e, rounds);
      revealed += 1;
      // One that the epoch left out starts anew when it comes back.
      const mine = new Set(params.entry.instruments.map((one) => one.symbol));
      for (const symbol of ends.keys()) if (!mine.has(symbol)) ends.delete(symbol);
      for (const instrument of params.entry.instruments) {
        const { symbol } = instrument;
        const from = entry.from.get(symbol);
        const before = ends.get(symbol) ?? (revealed === 1 ? sm1Start(instrument) : from);
        if (from?.x !== before?.x || from?.regime !== before?.regime) {
          faultAt(report, "epochs", index, `epoch ${entry.e}: ${symbol} does not go on from where it stood`);
        }
        const replay = replayEpoch(hashes, evidence, symbol, rounds);
        if (!replay.ok) {
          faultAt(report, "epochs", index, `epoch ${entry.e}: ${replay.fault}`);
          ends.delete(symbol);
          continue;
        }
        ends.set(symbol, replay.end);
        awaited.push({ index, symbol, open, ticks: replay.ticks, logged: kept.get(symbol) ?? null });
        this.pricesAdded(index, symbol, 0);
      }
    },
    pricesAdded(index, symbol, count) {
      const through = book.through(symbol) ?? (0n as Instant);
      const ready = awaited.filter((each) => each.symbol === symbol && each.open.start + SM1_EPOCH_MS <= through + 1n);
      awaited = awaited.filter((each) => !ready.includes(each));
      for (const each of ready) compare(each);
      const added = count === 0 ? [] : book.ticks(symbol).slice(-count);
      if (added.some((tick) => isOutside(symbol, tick))) {
        faultAt(report, "epochs", index, `${symbol} has a tick outside every opened epoch`);
      }
    },
    keep(before) {
      for (const epoch of epochs.values()) {
        const { open, kept, commit } = epoch;
        if (open === undefined || open.start >= before) continue;
        for (const { symbol } of paramsByHash.get(toHex(commit.params))?.entry.instruments ?? []) {
          const isThere = (book.through(symbol) ?? 0n) + 1n >= open.start + SM1_EPOCH_MS;
          if (!isThere || kept.has(symbol)) continue;
          kept.set(
            symbol,
            book.ticks(symbol).filter((tick) => isInEpoch(open, tick)),
          );
        }
      }
    },
    neededFrom(symbol) {
      const opened = [...epochs.values()].flatMap(({ open, kept }) => (kept.has(symbol) ? [] : (open ?? [])));
      const replayed = awaited.flatMap((one) => (one.symbol === symbol && one.logged === null ? one.open : []));
      const starts = [...opened, ...replayed].map(({ start }) => start);
      return starts.toSorted((left, right) => Number(left - right))[0] ?? null;
    },
    tell(moment) {
      for (const epoch of epochs.values()) {
        if (epoch.open !== undefined && moment > epoch.open.start + SM1_EPOCH_MS) epoch.over ??= moment;
      }
    },
    finish(latest) {
      for (const [e, { open, openIndex = null, commit, over }] of epochs) {
        if (open === undefined) continue;
        const end = open.start + SM1_EPOCH_MS;
        const made = paramsByHash.get(toHex(commit.params))?.entry.instruments ?? [];
        const isMarketOn = made.some(({ symbol }) => {
          const newest = book.ticks(symbol).at(-1);
          return newest !== undefined && newest.time >= end && isSimulated(sources, symbol, newest) !== false;
        });
        if (!isMarketOn && (over === undefined || latest <= over + REVEAL_WITHIN_MS)) continue;
        faultAt(report, "epochs", openIndex, `epoch ${e} ended at ${end}, and its seed was not revealed`);
      }
    },
    count: () => revealed,
  };
}
