import type { Instant, Tick } from "@fairtick/domain";
import { SIMULATED, type LogEntryOf } from "./log-entry.ts";
import { faultAt, noteAt, type Report } from "./log-finding.ts";
import type { PriceBook } from "./price-book.ts";

/** How long after its `since` the first `source` entry of an instrument without prices may come, ms. */
const FIRST_WITHIN_MS = 10_000n;
/**
 * How long an instrument may have prices without a source after the first source of any instrument came into force, ms.
 */
const STATED_WITHIN_MS = 60_000n;

export type StatedSource = LogEntryOf<"source">;

/** Keeps and checks the sources of prices. The log names them in advance, and each minute names them again. */
export interface SourceLedger {
  /** Adds a `source` entry. `latest`: the newest moment of any earlier entry, ms. */
  state(index: number, entry: StatedSource, latest: bigint): void;
  /** Checks that a minute, already in the price book, names the sources in force for its ticks. */
  minute(index: number, entry: LogEntryOf<"ticks">): void;
  /** Returns the source in force at a moment; null if the log names none for it. */
  at(symbol: string, time: Instant): StatedSource | null;
  /** Returns when an outside source took over an instrument that was simulated at `time`; null if none has. */
  leftAt(symbol: string, time: Instant): Instant | null;
}

export function createSourceLedger(report: Report, book: PriceBook): SourceLedger {
  const stated = new Map<string, StatedSource[]>();
  let firstSince: Instant | null = null;

  function at(symbol: string, time: Instant): StatedSource | null {
    return stated.get(symbol)?.findLast(({ since }) => since <= time) ?? null;
  }

  /** Returns why a `source` entry came too late, in English; null if it was in time. */
  function lateness(entry: StatedSource, latest: bigint): string | null {
    const { symbol, since } = entry;
    const before = stated.get(symbol)?.at(-1);
    const priced = book.ticks(symbol).findLast(({ time }) => time > 0n);
    if (before !== undefined && since <= before.since) return "is named for a time that was over";
    if (priced !== undefined && priced.time >= since) return "is named for prices that were there already";
    const isFirst = before === undefined && priced === undefined;
    return latest > since + (isFirst ? FIRST_WITHIN_MS : 0n) ? "is named after the fact" : null;
  }

  return {
    state(index, entry, latest) {
      const { symbol, source, since } = entry;
      const late = lateness(entry, latest);
      if (late !== null) {
        // The late entry is ignored, and the source in force stays.
        faultAt(report, "sources", index, `${symbol}: its source ${source} ${late}`);
        return;
      }
      const known = stated.get(symbol) ?? [];
      if (known.length > 0) noteAt(report, "sources", index, `${symbol} comes from ${source} from ${since} on`);
      stated.set(symbol, [...known, entry]);
      if (firstSince === null || since < firstSince) firstSince = since;
    },
    minute(index, entry) {
      const { symbol, sources = [] } = entry;
      const ticks = book.ticks(symbol).slice(-entry.count);
      const inForce = new Set(ticks.map(({ time }) => at(symbol, time)).filter((one) => one !== null));
      const right = [...inForce].map(({ since, source }) => `${source} since ${since}`).join(", ");
      const given = sources.map(({ since, source }) => `${source} since ${since}`).join(", ");
      if (right !== given) {
        const what = `${symbol}'s minute ${entry.time} is said to come from ${given || "nowhere"}`;
        faultAt(report, "sources", index, `${what}; in force was ${right || "nothing"}`);
      }
      const last = ticks.at(-1);
      if (firstSince === null || last === undefined || at(symbol, last.time) !== null) return;
      if (last.time > firstSince + STATED_WITHIN_MS) {
        faultAt(report, "sources", index, `${symbol} has prices, and nobody said where they come from`);
      }
    },
    at,
    leftAt(symbol, time) {
      const next = stated.get(symbol)?.find(({ since, source }) => since > time && source !== SIMULATED);
      return next?.since ?? null;
    },
  };
}

/** Returns whether the simulated market must have made the tick; null if the log names no source for its time. */
export function isSimulated(sources: SourceLedger, symbol: string, { time }: Pick<Tick, "time">): boolean | null {
  const source = sources.at(symbol, time)?.source;
  return source === undefined ? null : source === SIMULATED;
}
