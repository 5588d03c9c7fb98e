import { SM1_EPOCH_MS, sm1TickTime, type Instant, type Sm1Tick, type Tick } from "@fairtick/domain";
import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, type Report } from "./log-finding.ts";
import type { PriceBook } from "./price-book.ts";
import { isInEpoch } from "./sm1-proof.ts";
import { isSimulated, type SourceLedger } from "./source-ledger.ts";

/** One instrument's ticks of an epoch, recomputed from its seed. */
export interface ReplayedTicks {
  /** Index of the entry that revealed the seed. */
  readonly index: number;
  readonly symbol: string;
  readonly open: LogEntryOf<"epoch.open">;
  readonly ticks: readonly Sm1Tick[];
  /** The epoch's published prices if they were kept outside the book; null if the book has or will have them. */
  readonly logged: readonly Tick[] | null;
}

interface Opening {
  readonly open: LogEntryOf<"epoch.open">;
  /** Empty if unknown. */
  readonly symbols: ReadonlySet<string>;
}

/** Compares the published prices of the simulated market with those that follow from its epochs. */
export interface EpochPrices {
  /** Called when an epoch with these instruments was committed to. */
  committed(symbols: ReadonlySet<string>): void;
  /** Called when an epoch was opened; `symbols` is empty if its instruments are unknown. */
  opened(open: LogEntryOf<"epoch.open">, symbols: ReadonlySet<string>): void;
  lastOpened(): LogEntryOf<"epoch.open"> | null;
  /** Compares the ticks with the published prices as soon as the log has all of the epoch's prices. */
  replayed(made: ReplayedTicks): void;
  /** Called after a minute of `count` ticks was added to the book; compares the epochs that were waiting for it. */
  pricesAdded(index: number, symbol: string, count: number): void;
  /** Returns the starts of replayed epochs that still need this symbol's prices from the book. */
  waitingStarts(symbol: string): Instant[];
  /** Returns whether the newest price of any of these instruments is simulated and from `moment` or later. */
  hasSimulatedFrom(symbols: ReadonlySet<string>, moment: bigint): boolean;
}

export function createEpochPrices(report: Report, book: PriceBook, sources: SourceLedger): EpochPrices {
  return new LoggedEpochPrices(report, book, sources);
}

class LoggedEpochPrices implements EpochPrices {
  readonly #report: Report;
  readonly #book: PriceBook;
  readonly #sources: SourceLedger;
  /** Instruments of the newest commit; they count as simulated as long as the log names no source for them. */
  #simulated: ReadonlySet<string> = new Set();
  #openings: Opening[] = [];
  /** Replayed ticks whose prices are not all in the log yet. */
  #awaited: ReplayedTicks[] = [];

  constructor(report: Report, book: PriceBook, sources: SourceLedger) {
    this.#report = report;
    this.#book = book;
    this.#sources = sources;
  }

  committed(symbols: ReadonlySet<string>): void {
    this.#simulated = symbols;
  }

  opened(open: LogEntryOf<"epoch.open">, symbols: ReadonlySet<string>): void {
    this.#openings = [...this.#openings.slice(-3), { open, symbols }];
  }

  lastOpened(): LogEntryOf<"epoch.open"> | null {
    return this.#openings.at(-1)?.open ?? null;
  }

  replayed(made: ReplayedTicks): void {
    this.#awaited.push(made);
    this.#compareReady(made.symbol);
  }

  pricesAdded(index: number, symbol: string, count: number): void {
    this.#compareReady(symbol);
    const added = count === 0 ? [] : this.#book.ticks(symbol).slice(-count);
    if (added.some((tick) => this.#isOutside(symbol, tick))) {
      faultAt(this.#report, "epochs", index, `${symbol} has a tick outside every opened epoch`);
    }
  }

  waitingStarts(symbol: string): Instant[] {
    return this.#awaited.flatMap((one) => (one.symbol === symbol && one.logged === null ? one.open.start : []));
  }

  hasSimulatedFrom(symbols: ReadonlySet<string>, moment: bigint): boolean {
    return [...symbols].some((symbol) => {
      const newest = this.#book.ticks(symbol).at(-1);
      return newest !== undefined && newest.time >= moment && isSimulated(this.#sources, symbol, newest) !== false;
    });
  }

  #compareReady(symbol: string): void {
    const through = this.#book.through(symbol) ?? (0n as Instant);
    const isReady = (each: ReplayedTicks) => each.symbol === symbol && each.open.start + SM1_EPOCH_MS <= through + 1n;
    const ready = this.#awaited.filter(isReady);
    this.#awaited = this.#awaited.filter((each) => !ready.includes(each));
    for (const each of ready) this.#compare(each);
  }

  #compare(one: ReplayedTicks): void {
    const { index, symbol, open } = one;
    const within = one.logged ?? this.#book.ticks(symbol).filter((tick) => isInEpoch(open, tick));
    const logged = within.filter((tick) => isSimulated(this.#sources, symbol, tick) !== false);
    const ticks = this.#owed(one, logged);
    for (const [place, made] of ticks.entries()) {
      const tick = logged[place];
      if (tick === undefined || tick.time !== made.time || tick.price !== made.mid) {
        const what = `tick ${made.t} of ${symbol} is not the one that was published`;
        faultAt(this.#report, "epochs", index, `epoch ${open.e}: ${what}`);
        return;
      }
    }
    if (logged.length !== ticks.length)
      faultAt(this.#report, "epochs", index, `epoch ${open.e}: ${symbol} has ticks that no seed made`);
  }

  /**
   * Returns the epoch's ticks that the house had to publish. An instrument can join or leave in the middle of an epoch.
   */
  #owed({ symbol, open, ticks }: ReplayedTicks, logged: readonly Tick[]): (Sm1Tick & { readonly time: Instant })[] {
    return ticks.flatMap((made) => {
      const time = sm1TickTime(open.start, made.t);
      if (isSimulated(this.#sources, symbol, { time }) === false) return [];
      // The simulated market may stop a while before the next source takes over, so ticks in between are not owed.
      const left = this.#sources.leftAt(symbol, time);
      const isLeftOut = left !== null && !logged.some((tick) => tick.time >= time && tick.time < left);
      return isLeftOut ? [] : [{ ...made, time }];
    });
  }

  /** Returns whether the simulated market must have made the tick, but no opened epoch covers it. */
  #isOutside(symbol: string, tick: Tick): boolean {
    const must = isSimulated(this.#sources, symbol, tick);
    if (!(must ?? this.#simulated.has(symbol))) return false;
    return !this.#openings.some(({ open, symbols }) => isInEpoch(open, tick) && (must === null || symbols.has(symbol)));
  }
}
