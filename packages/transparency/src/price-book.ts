import { equalBytes, REVEAL_WITHIN_MS, type Hashes, type Instant, type Tick } from "@fairtick/domain";
import { parsePriceLines } from "./acceptance.ts";
import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, type Report } from "./log-finding.ts";
import { isMinuteOf } from "./price-minute.ts";
import type { LogReader } from "./tile-tree.ts";

const MINUTE_MS = 60_000n;
const decoder = new TextDecoder();

/** One instrument's ticks in order of number, without those that are no longer needed. */
interface Series {
  ticks: Tick[];
  /** Every tick through this moment is known. */
  through: Instant;
}

/** Holds a log's prices: each minute's lines from `prices/<symbol>/<time>`, checked against its entry's hash. */
export interface PriceBook {
  /** Fetches a minute and adds its ticks. Returns false, with a fault reported, if the minute is missing or wrong. */
  add(index: number, entry: LogEntryOf<"ticks">): Promise<boolean>;
  ticks(symbol: string): readonly Tick[];
  /** Returns the moment up to which all of a symbol's ticks are known; null if it has no price yet. */
  through(symbol: string): Instant | null;
  symbols(): string[];
  count(): number;
  /** Drops each symbol's ticks from before the given moment. Only `readAgain` returns them afterwards. */
  forget(before: (symbol: string) => bigint): void;
  /**
   * Returns the ticks from the last minute with prices before `from` to the first one after `through`. It fetches
   * dropped ones again, for an order that was revealed long after its expiry. Null if a minute doesn't match its
   * entry's hash.
   */
  readAgain(symbol: string, from: Instant, through: Instant): Promise<readonly Tick[] | null>;
}

/**
 * How long minutes can be read again, ms: until the last moment at which an order can be revealed after its acceptance.
 */
const READ_AGAIN_MS = REVEAL_WITHIN_MS + 7_200_000n;

export function createPriceBook(hashes: Hashes, reader: LogReader, report: Report): PriceBook {
  return new LoggedPrices(hashes, reader, report);
}

class LoggedPrices implements PriceBook {
  readonly #hashes: Hashes;
  readonly #reader: LogReader;
  readonly #report: Report;
  readonly #series = new Map<string, Series>();
  /** For each symbol, the minutes that an order may still need, by rising time. */
  readonly #minutes = new Map<string, { readonly index: number; readonly entry: LogEntryOf<"ticks"> }[]>();
  #counted = 0;

  constructor(hashes: Hashes, reader: LogReader, report: Report) {
    this.#hashes = hashes;
    this.#reader = reader;
    this.#report = report;
  }

  async add(index: number, entry: LogEntryOf<"ticks">): Promise<boolean> {
    const ticks = await this.#readMinute(index, entry);
    if (ticks === null) return false;
    this.#counted += ticks.length;
    this.#remember(index, entry);
    const known = this.#series.get(entry.symbol);
    const through = (entry.time + MINUTE_MS - 1n) as Instant;
    const first = ticks[0];
    if (known === undefined) {
      // A placeholder for prices from before the log, so that the log's first tick has a tick before it too.
      const before = first !== undefined ? [{ ...first, seq: first.seq - 1n, time: 0n as Instant }] : [];
      this.#series.set(entry.symbol, { ticks: [...before, ...ticks], through });
      return true;
    }
    const last = known.ticks.at(-1);
    if (entry.time <= known.through || (last !== undefined && first?.seq !== last.seq + 1n)) {
      faultAt(this.#report, "prices", index, `${entry.symbol} does not go on from tick ${last?.seq}`);
      return false;
    }
    known.ticks.push(...ticks);
    known.through = through;
    return true;
  }

  ticks(symbol: string): readonly Tick[] {
    return this.#series.get(symbol)?.ticks ?? [];
  }

  through(symbol: string): Instant | null {
    return this.#series.get(symbol)?.through ?? null;
  }

  symbols(): string[] {
    return [...this.#series.keys()];
  }

  count(): number {
    return this.#counted;
  }

  forget(before: (symbol: string) => bigint): void {
    for (const [symbol, one] of this.#series) {
      const oldest = before(symbol);
      const place = one.ticks.findIndex((tick) => tick.time >= oldest);
      // Keep one older tick: its number proves that no tick was skipped before the next one.
      const old = (place < 0 ? one.ticks.length : place) - 1;
      if (old > one.ticks.length / 2) one.ticks = one.ticks.slice(old);
    }
  }

  async readAgain(symbol: string, from: Instant, through: Instant): Promise<readonly Tick[] | null> {
    const held = this.ticks(symbol);
    if ((held[0]?.time ?? from) < from) return held;
    const known = this.#minutes.get(symbol) ?? [];
    const first = known.findLastIndex(({ entry }) => entry.time + MINUTE_MS <= from);
    const last = known.findIndex(({ entry }) => entry.time > through);
    const all: Tick[] = [];
    for (const { index, entry } of known.slice(Math.max(first, 0), last === -1 ? undefined : last + 1)) {
      const ticks = await this.#readMinute(index, entry);
      if (ticks === null) return null;
      all.push(...ticks);
    }
    return all;
  }

  #remember(index: number, entry: LogEntryOf<"ticks">): void {
    const known = this.#minutes.get(entry.symbol) ?? [];
    this.#minutes.set(entry.symbol, known);
    known.push({ index, entry });
    const old = known.findIndex((each) => each.entry.time >= entry.time - READ_AGAIN_MS);
    // Drop old minutes in bulk, since each splice takes time.
    if (old > 1_000) known.splice(0, old);
  }

  async #readMinute(index: number, entry: LogEntryOf<"ticks">): Promise<Tick[] | null> {
    const path = `prices/${entry.symbol}/${entry.time}`;
    const bytes = await this.#reader.read(path);
    if (bytes === null || !equalBytes(this.#hashes.sha256(bytes), entry.hash)) {
      const what = bytes === null ? "is not served" : "is not what its entry hashes";
      faultAt(this.#report, "prices", index, `${path} ${what}`);
      return null;
    }
    const ticks = parsePriceLines(decoder.decode(bytes));
    if (ticks !== null && isMinuteOf(entry, ticks)) return ticks;
    faultAt(this.#report, "prices", index, `${path} does not hold the minute that its entry tells of`);
    return null;
  }
}
