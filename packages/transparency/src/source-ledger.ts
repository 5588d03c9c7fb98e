import type { Instant, Tick } from "@fairtick/domain";
import { SIMULATED, type LogEntryOf } from "./log-entry.ts";
import { faultAt, noteAt, type Report } from "./log-finding.ts";
import type { PriceBook } from "./price-book.ts";

/** The first `source` entry of an instrument that has no price yet may come this long after the moment it names. */
const FIRST_WITHIN_MS = 10_000n;
/** An instrument hides its source if its prices go on this long after other instruments' sources are in the log. */
const STATED_WITHIN_MS = 60_000n;

export type StatedSource = LogEntryOf<"source">;

/** What makes each instrument's prices and when. The log says it in advance, and every minute of prices names it again. */
export interface SourceLedger {
  /** `latest`: the newest moment that an earlier entry tells of. */
  state(index: number, entry: StatedSource, latest: bigint): void;
  /** Checks a minute that the price book has got: it must name the sources that are in force for its ticks. */
  minute(index: number, entry: LogEntryOf<"ticks">): void;
  /** Answers the source at a moment; null where the log had named none by then. */
  at(symbol: string, time: Instant): StatedSource | null;
  /** Answers when the simulated market left the instrument that it made at `time`; null where it has not. */
  leftAt(symbol: string, time: Instant): Instant | null;
}

export function createSourceLedger(report: Report, book: PriceBook): SourceLedger {
  const stated = new Map<string, StatedSource[]>();
  let firstSince: Instant | null = null;

  function at(symbol: string, time: Instant): StatedSource | null {
    return stated.get(symbol)?.findLast(({ since }) => since <= time) ?? null;
  }

  /** In English; null: it was said before it held. */
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

/** Says whether the simulated market must have made the tick; null where the log did not say it then. */
export function isSimulated(sources: SourceLedger, symbol: string, { time }: Pick<Tick, "time">): boolean | null {
  const source = sources.at(symbol, time)?.source;
  return source === undefined ? null : source === SIMULATED;
}
