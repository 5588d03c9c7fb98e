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
} from "@fairtick/domain";
import type { LogPolicy } from "./checkpoint.ts";
import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, noteAt, type Report } from "./log-finding.ts";
import type { PriceBook } from "./price-book.ts";
import { checkMix, checkSeed, isInEpoch, replayEpoch } from "./sm1-proof.ts";
import { openTileTree, type LogReader } from "./tile-tree.ts";

const OPEN_NOTICE_MS = 30_000n;
/** What is committed to stands in the log this long before it is opened; less is a note. */
const COMMIT_NOTICE_MS = 30_000n;
/** A seed is published within ten seconds of its epoch's end; later is a note. */
const REVEAL_NOTICE_MS = 10_000n;
/** A log that tells of a moment so long after an epoch's end, and not of its seed, withholds it. */
const REVEAL_WITHIN_MS = 60_000n;

export interface EpochLedgerParts {
  readonly hashes: Hashes;
  readonly reader: LogReader;
  readonly policy: LogPolicy;
  readonly report: Report;
  readonly book: PriceBook;
  readonly whole: boolean;
}

interface Epoch {
  readonly commit: LogEntryOf<"epoch.commit">;
  readonly commitIndex: number;
  /** The newest moment that the log told of before the commit. */
  readonly told: bigint;
  open?: LogEntryOf<"epoch.open">;
  openIndex?: number;
}

/** An instrument's replayed epoch whose prices are not all in the log yet. */
interface Awaited {
  readonly index: number;
  readonly symbol: string;
  readonly open: LogEntryOf<"epoch.open">;
  readonly ticks: readonly Sm1Tick[];
}

/** The simulated market: committed before, opened in time, revealed after, and every price made again from its seed. */
export interface EpochLedger {
  params(text: string, entry: LogEntryOf<"params">): void;
  commit(index: number, entry: LogEntryOf<"epoch.commit">, latest: bigint): void;
  /** `latest`: the newest moment that an earlier entry tells of. */
  open(index: number, entry: LogEntryOf<"epoch.open">, latest: bigint): Promise<void>;
  reveal(index: number, entry: LogEntryOf<"epoch.reveal">, latest: bigint): void;
  /** A minute has come into the book: compares what was waiting for it. */
  pricesAdded(index: number, symbol: string): void;
  /** Reports seeds that were withheld. */
  finish(latest: bigint): void;
  count(): number;
}

export function createEpochLedger(parts: EpochLedgerParts): EpochLedger {
  const { hashes, reader, policy, report, book, whole } = parts;
  const paramsByHash = new Map<string, { text: string; entry: LogEntryOf<"params"> }>();
  const epochs = new Map<bigint, Epoch>();
  const ends = new Map<string, Sm1State>();
  /** Of the newest commit: an instrument may move to an outside source and leave the simulated market. */
  let simulated = new Set<string>();
  let awaited: Awaited[] = [];
  let openings: LogEntryOf<"epoch.open">[] = [];
  let revealed = 0;

  function compare({ index, symbol, open, ticks }: Awaited): void {
    const logged = book.ticks(symbol).filter((tick) => isInEpoch(open, tick));
    if (!whole && logged.length < ticks.length) return;
    for (const [place, made] of ticks.entries()) {
      const tick = logged[place];
      if (tick === undefined || tick.time !== sm1TickTime(open.start, made.t) || tick.price !== made.mid) {
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

  return {
    params(text, entry) {
      paramsByHash.set(toHex(hashes.sha256(utf8(text))), { text, entry });
    },
    commit(index, entry, latest) {
      if (epochs.has(entry.e)) faultAt(report, "epochs", index, `epoch ${entry.e} is committed to twice`);
      const params = paramsByHash.get(toHex(entry.params));
      if (params !== undefined) simulated = new Set(params.entry.instruments.map((one) => one.symbol));
      else if (whole) {
        faultAt(report, "epochs", index, `epoch ${entry.e} names params that are not in the log before it`);
      }
      epochs.set(entry.e, { commit: entry, commitIndex: index, told: latest });
    },
    async open(index, entry, latest) {
      const epoch = epochs.get(entry.e);
      const last = openings.at(-1);
      openings = [...openings.slice(-3), entry];
      if (last !== undefined && entry.start < last.start + SM1_EPOCH_MS) {
        faultAt(report, "epochs", index, `epoch ${entry.e} starts before the one before it is over`);
      }
      if (latest > entry.start) faultAt(report, "epochs", index, `epoch ${entry.e} was opened after its start`);
      else if (latest > entry.start - OPEN_NOTICE_MS) noteAt(report, "epochs", index, `epoch ${entry.e}: short notice`);
      if (epoch === undefined) {
        if (whole) faultAt(report, "epochs", index, `epoch ${entry.e} was never committed to`);
        return;
      }
      if (epoch.open !== undefined) faultAt(report, "epochs", index, `epoch ${entry.e} is opened twice`);
      if (latest > 0n && latest < epoch.told + COMMIT_NOTICE_MS) {
        noteAt(report, "epochs", index, `epoch ${entry.e}: short notice between its commit and its opening`);
      }
      epoch.open = entry;
      epoch.openIndex = index;
      const mix = checkMix(hashes, entry, epoch.commit, policy);
      if (!mix.ok) {
        faultAt(report, "epochs", index, `epoch ${entry.e}: ${mix.fault}`);
        return;
      }
      if (mix.checkpoint === null) {
        noteAt(report, "epochs", index, `epoch ${entry.e}: nothing was mixed in but the commit itself`);
        return;
      }
      if (policy.witnessKeys.length > 0 && !mix.cosigned) {
        noteAt(report, "epochs", index, `epoch ${entry.e}: no witness's cosignature was mixed in`);
      }
      const { size, root } = mix.checkpoint;
      const holds = size > epoch.commitIndex && size <= index;
      if (!holds || !equalBytes(await openTileTree(hashes, reader, size).root(), root)) {
        faultAt(report, "epochs", index, `epoch ${entry.e}: its checkpoint is none of this log that holds the commit`);
      }
    },
    reveal(index, entry, latest) {
      const epoch = epochs.get(entry.e);
      const params = epoch && paramsByHash.get(toHex(epoch.commit.params));
      if (epoch?.open === undefined || params === undefined) {
        if (whole) faultAt(report, "epochs", index, `epoch ${entry.e} is revealed without being opened`);
        return;
      }
      epochs.delete(entry.e);
      const { commit, open } = epoch;
      if (latest > open.start + SM1_EPOCH_MS + REVEAL_NOTICE_MS) {
        noteAt(report, "epochs", index, `epoch ${entry.e}: its seed was revealed late`);
      }
      const evidence = { paramsText: params.text, params: params.entry, commit, open, reveal: entry };
      const fault = checkSeed(hashes, evidence);
      if (fault !== null) faultAt(report, "epochs", index, `epoch ${entry.e}: ${fault}`);
      revealed += 1;
      for (const instrument of params.entry.instruments) {
        const { symbol } = instrument;
        const from = entry.from.get(symbol);
        const before = ends.get(symbol) ?? (whole && revealed === 1 ? sm1Start(instrument) : from);
        if (from?.x !== before?.x || from?.regime !== before?.regime) {
          faultAt(report, "epochs", index, `epoch ${entry.e}: ${symbol} does not go on from where it stood`);
        }
        const replay = replayEpoch(hashes, evidence, symbol);
        if (!replay.ok) {
          faultAt(report, "epochs", index, `epoch ${entry.e}: ${replay.fault}`);
          ends.delete(symbol);
          continue;
        }
        const last = replay.ticks.at(-1);
        if (last !== undefined) ends.set(symbol, last.state);
        awaited.push({ index, symbol, open, ticks: replay.ticks });
        this.pricesAdded(index, symbol);
      }
    },
    pricesAdded(index, symbol) {
      const through = book.through(symbol) ?? (0n as Instant);
      const ready = awaited.filter((each) => each.symbol === symbol && each.open.start + SM1_EPOCH_MS <= through + 1n);
      awaited = awaited.filter((each) => !ready.includes(each));
      for (const each of ready) compare(each);
      const newest = book.ticks(symbol).at(-1);
      if (whole && newest !== undefined && simulated.has(symbol) && !openings.some((open) => isInEpoch(open, newest))) {
        faultAt(report, "epochs", index, `${symbol} has a tick outside every opened epoch`);
      }
    },
    finish(latest) {
      for (const [e, { open, openIndex = null }] of epochs) {
        if (open === undefined || latest <= open.start + SM1_EPOCH_MS + REVEAL_WITHIN_MS) continue;
        const ended = `epoch ${e} ended at ${open.start + SM1_EPOCH_MS}`;
        faultAt(report, "epochs", openIndex, `${ended}, and its seed was not revealed`);
      }
    },
    count: () => revealed,
  };
}
