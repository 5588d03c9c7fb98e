import {
  equalBytes,
  SM1_EPOCH_MS,
  sm1Start,
  toHex,
  utf8,
  type Hashes,
  type Sm1State,
  type Tick,
} from "@fairtick/domain";
import { createBeaconRules, type BeaconRules } from "./beacon-rules.ts";
import type { LogPolicy } from "./checkpoint.ts";
import { createEpochPrices, type EpochPrices } from "./epoch-prices.ts";
import { gapFault, type IncidentLedger } from "./incident-ledger.ts";
import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, noteAt, type Report } from "./log-finding.ts";
import { createOpeningRules, type OpeningRules } from "./opening-rules.ts";
import type { PriceBook } from "./price-book.ts";
import type { SourceLedger } from "./source-ledger.ts";
import { checkMix, checkSeed, isInEpoch, replayEpoch, type Sm1Evidence } from "./sm1-proof.ts";
import { checkRounds, type EpochRounds } from "./sm2-proof.ts";
import { openTileTree, type LogReader } from "./tile-tree.ts";

/** An epoch is opened at least this long before its start; less is a note. */
const OPEN_NOTICE_MS = 30_000n;
/** An epoch's commit is in the log at least this long before its opening; less is a note. */
const COMMIT_NOTICE_MS = 30_000n;
/** A seed is revealed within ten seconds of its epoch's end; later is a note. */
const REVEAL_NOTICE_MS = 10_000n;
/**
 * A seed counts as withheld if it is missing while the log has moments this far apart after the epoch's end. It also
 * does if the log has a simulated price from after that end: the market was running, and it reveals seeds before it
 * writes prices.
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
  /** Verifier keys of the witnesses that cosigned the examined checkpoint. */
  readonly present: ReadonlySet<string>;
}

type Instrument = LogEntryOf<"params">["instruments"][number];

interface Params {
  /** The text of the entry. */
  readonly text: string;
  readonly entry: LogEntryOf<"params">;
}

interface Epoch {
  readonly commit: LogEntryOf<"epoch.commit">;
  readonly commitIndex: number;
  /** The newest moment of the log before the commit, ms. */
  readonly told: bigint;
  open?: LogEntryOf<"epoch.open">;
  openIndex?: number;
  /** The first moment of the log after the epoch's end, where waiting for the seed starts, ms. */
  over?: bigint;
  /** Its prices for each symbol, kept here if the book would forget them before the seed is revealed. */
  readonly kept: Map<string, readonly Tick[]>;
}

/** Checks that each epoch is committed to, opened in time and revealed, and that its prices follow from its seed. */
export interface EpochLedger {
  params(text: string, entry: LogEntryOf<"params">): void;
  accept(index: number, entry: LogEntryOf<"orders.accept">): void;
  commit(index: number, entry: LogEntryOf<"epoch.commit">, latest: bigint): void;
  /** `latest`: the newest moment of any earlier entry, ms. */
  open(index: number, entry: LogEntryOf<"epoch.open">, latest: bigint): Promise<void>;
  reveal(index: number, entry: LogEntryOf<"epoch.reveal">, latest: bigint): void;
  /** Called after a minute of `count` ticks was added to the book; compares the epochs that were waiting for it. */
  pricesAdded(index: number, symbol: string, count: number): void;
  /** Called before the book drops prices from before `before`; copies those of epochs whose seed isn't revealed yet. */
  keep(before: bigint): void;
  /** Returns the start of the oldest epoch that still needs this symbol's prices from the book; null if none does. */
  neededFrom(symbol: string): bigint | null;
  /** Called for each moment of the log, ms. */
  tell(moment: bigint): void;
  /** Reports seeds that were withheld. */
  finish(latest: bigint): void;
  /** Returns the number of revealed epochs. */
  count(): number;
}

export function createEpochLedger(parts: EpochLedgerParts): EpochLedger {
  return new LoggedEpochs(parts);
}

class LoggedEpochs implements EpochLedger {
  readonly #parts: EpochLedgerParts;
  readonly #rules: OpeningRules;
  readonly #beacons: BeaconRules;
  readonly #prices: EpochPrices;
  readonly #paramsByHash = new Map<string, Params>();
  /** Epochs by number, until their seed is revealed. */
  readonly #epochs = new Map<bigint, Epoch>();
  /** State of each instrument's path at the end of the last revealed epoch. */
  readonly #ends = new Map<string, Sm1State>();
  #revealed = 0;

  constructor(parts: EpochLedgerParts) {
    this.#parts = parts;
    this.#rules = createOpeningRules(parts.report, parts.policy, parts.present);
    this.#beacons = createBeaconRules(parts.report);
    this.#prices = createEpochPrices(parts.report, parts.book, parts.sources);
  }

  params(text: string, entry: LogEntryOf<"params">): void {
    this.#paramsByHash.set(toHex(this.#parts.hashes.sha256(utf8(text))), { text, entry });
  }

  accept(index: number, { acceptedAt }: LogEntryOf<"orders.accept">): void {
    this.#rules.accept(index, acceptedAt);
  }

  commit(index: number, entry: LogEntryOf<"epoch.commit">, latest: bigint): void {
    const { e } = entry;
    this.#rules.commit(index, entry, latest);
    if (this.#epochs.has(e)) this.#fault(index, `epoch ${e} is committed to twice`);
    const params = this.#paramsOf(entry);
    if (params === undefined) {
      this.#fault(index, `epoch ${e} names params that are not in the log before it`);
    } else {
      this.#prices.committed(symbolsOf(params));
      this.#beacons.commit(index, e, params.entry.beacon);
    }
    this.#epochs.set(e, { commit: entry, commitIndex: index, told: latest, kept: new Map() });
  }

  async open(index: number, entry: LogEntryOf<"epoch.open">, latest: bigint): Promise<void> {
    this.#rules.open(index, entry);
    const epoch = this.#epochs.get(entry.e);
    const last = this.#prices.lastOpened();
    this.#prices.opened(entry, symbolsOf(epoch && this.#paramsOf(epoch.commit)));
    if (last !== null) this.#checkFollows(index, entry, last.start + SM1_EPOCH_MS);
    if (latest > entry.start) this.#fault(index, `epoch ${entry.e} was opened after its start`);
    else if (latest > entry.start - OPEN_NOTICE_MS) this.#note(index, `epoch ${entry.e}: short notice`);
    if (epoch === undefined) {
      this.#fault(index, `epoch ${entry.e} was never committed to`);
      return;
    }
    if (epoch.open !== undefined) this.#fault(index, `epoch ${entry.e} is opened twice`);
    if (latest > 0n && latest < epoch.told + COMMIT_NOTICE_MS) {
      this.#note(index, `epoch ${entry.e}: short notice between its commit and its opening`);
    }
    epoch.open = entry;
    epoch.openIndex = index;
    await this.#checkMixed(index, entry, epoch);
  }

  reveal(index: number, entry: LogEntryOf<"epoch.reveal">, latest: bigint): void {
    const { e } = entry;
    const epoch = this.#epochs.get(e);
    const params = epoch && this.#paramsOf(epoch.commit);
    if (epoch?.open === undefined || params === undefined) {
      this.#fault(index, `epoch ${e} is revealed without being opened`);
      return;
    }
    this.#epochs.delete(e);
    const { commit, open, kept } = epoch;
    if (latest > open.start + SM1_EPOCH_MS + REVEAL_NOTICE_MS) {
      this.#note(index, `epoch ${e}: its seed was revealed late`);
    }
    const { hashes } = this.#parts;
    const evidence = { paramsText: params.text, params: params.entry, commit, open, reveal: entry };
    const fault = checkSeed(hashes, evidence);
    if (fault !== null) this.#fault(index, `epoch ${e}: ${fault}`);
    const rounds = checkRounds(hashes, evidence);
    this.#beacons.revealed(index, e, rounds);
    this.#revealed += 1;
    this.#forgetEndsBut(symbolsOf(params));
    for (const instrument of params.entry.instruments) this.#replay(index, evidence, instrument, rounds, kept);
  }

  pricesAdded(index: number, symbol: string, count: number): void {
    this.#prices.pricesAdded(index, symbol, count);
  }

  keep(before: bigint): void {
    const { book } = this.#parts;
    for (const { open, kept, commit } of this.#epochs.values()) {
      if (open === undefined || open.start >= before) continue;
      for (const { symbol } of this.#paramsOf(commit)?.entry.instruments ?? []) {
        const isThere = (book.through(symbol) ?? 0n) + 1n >= open.start + SM1_EPOCH_MS;
        if (!isThere || kept.has(symbol)) continue;
        kept.set(
          symbol,
          book.ticks(symbol).filter((tick) => isInEpoch(open, tick)),
        );
      }
    }
  }

  neededFrom(symbol: string): bigint | null {
    const opened = [...this.#epochs.values()].flatMap(({ open, kept }) => (kept.has(symbol) ? [] : (open ?? [])));
    const starts = [...opened.map(({ start }) => start), ...this.#prices.waitingStarts(symbol)];
    return starts.toSorted((left, right) => Number(left - right))[0] ?? null;
  }

  tell(moment: bigint): void {
    for (const epoch of this.#epochs.values()) {
      if (epoch.open !== undefined && moment > epoch.open.start + SM1_EPOCH_MS) epoch.over ??= moment;
    }
  }

  finish(latest: bigint): void {
    for (const [e, { open, openIndex = null, commit, over }] of this.#epochs) {
      if (open === undefined) continue;
      const end = open.start + SM1_EPOCH_MS;
      const isTime = over !== undefined && latest > over + REVEAL_WITHIN_MS;
      if (!isTime && !this.#prices.hasSimulatedFrom(symbolsOf(this.#paramsOf(commit)), end)) continue;
      this.#fault(openIndex, `epoch ${e} ended at ${end}, and its seed was not revealed`);
    }
  }

  count(): number {
    return this.#revealed;
  }

  /** Checks that an epoch starts when the previous one ends (`end`), neither earlier nor much later. */
  #checkFollows(index: number, entry: LogEntryOf<"epoch.open">, end: bigint): void {
    if (entry.start < end) this.#fault(index, `epoch ${entry.e} starts before the one before it is over`);
    const gap = gapFault(this.#parts.incidents, index, entry, end);
    if (gap !== null) this.#fault(index, gap);
  }

  /** Checks the epoch's mix, and that the checkpoint it was made of belongs to this log. */
  async #checkMixed(index: number, entry: LogEntryOf<"epoch.open">, epoch: Epoch): Promise<void> {
    const { hashes, reader, policy } = this.#parts;
    const mix = checkMix(hashes, entry, { ...epoch.commit, index: epoch.commitIndex }, policy);
    if (!mix.ok) {
      this.#fault(index, `epoch ${entry.e}: ${mix.fault}`);
      return;
    }
    this.#rules.mixed(index, entry, mix);
    if (mix.checkpoint === null) return;
    const { size, root } = mix.checkpoint;
    if (size > index || !equalBytes(await openTileTree(hashes, reader, size).root(), root)) {
      this.#fault(index, `epoch ${entry.e}: its checkpoint is none of this log`);
    }
  }

  /** Forgets the end states of other instruments: one that an epoch left out starts from a new state when it returns. */
  #forgetEndsBut(symbols: ReadonlySet<string>): void {
    for (const symbol of this.#ends.keys()) if (!symbols.has(symbol)) this.#ends.delete(symbol);
  }

  /** Recomputes one instrument's ticks, starting from the state of its path before the epoch. */
  #replay(
    index: number,
    evidence: Sm1Evidence,
    instrument: Instrument,
    rounds: EpochRounds,
    kept: Epoch["kept"],
  ): void {
    const { symbol } = instrument;
    const { open, reveal } = evidence;
    const from = reveal.from.get(symbol);
    const before = this.#ends.get(symbol) ?? (this.#revealed === 1 ? sm1Start(instrument) : from);
    if (from?.x !== before?.x || from?.regime !== before?.regime) {
      this.#fault(index, `epoch ${reveal.e}: ${symbol} does not go on from where it stood`);
    }
    const replay = replayEpoch(this.#parts.hashes, evidence, symbol, rounds);
    if (!replay.ok) {
      this.#fault(index, `epoch ${reveal.e}: ${replay.fault}`);
      this.#ends.delete(symbol);
      return;
    }
    this.#ends.set(symbol, replay.end);
    this.#prices.replayed({ index, symbol, open, ticks: replay.ticks, logged: kept.get(symbol) ?? null });
  }

  #paramsOf(commit: LogEntryOf<"epoch.commit">): Params | undefined {
    return this.#paramsByHash.get(toHex(commit.params));
  }

  #fault(index: number | null, what: string): void {
    faultAt(this.#parts.report, "epochs", index, what);
  }

  #note(index: number, what: string): void {
    noteAt(this.#parts.report, "epochs", index, what);
  }
}

/** Returns the symbols of the params' instruments; none if the params are not in the log. */
function symbolsOf(params: Params | undefined): ReadonlySet<string> {
  return new Set(params?.entry.instruments.map(({ symbol }) => symbol));
}
