import { LAST_TICK_AGE_MAX_MS, type Instant } from "@fairtick/domain";
import { faultAt, type Report } from "./log-finding.ts";

const MINUTE_MS = 60_000n;
/** No order is accepted while a minute's prices are 15 s overdue; the rest is for a house that is slow to see that. */
const CLOSED_WITHIN_MS = 20_000n;
/** What slips in all the same, after a pause of the whole machine: by then that house has caught up. */
const CAUGHT_UP_WITHIN_MS = 10_000n;

/** A minute in which orders were accepted: it had prices. */
interface Traded {
  readonly minute: bigint;
  /** The entry of the first of them. */
  readonly index: number;
  /** The first order that was accepted though this minute's prices were overdue. */
  overdueAt: Instant | null;
}

/**
 * Orders are accepted on fresh prices, and only while those that are due are in the log. So a minute that had prices, and an
 * order from long after it, show what is kept out of the log even where no head tells of it.
 */
export interface TradedUnpriced {
  accept(index: number, acceptedAt: Instant): void;
  /** A minute of any instrument: all are written together. */
  priced(time: Instant): void;
  /** `newest`: the newest moment that is known, be it of the checkpoint. */
  finish(newest: bigint): void;
}

export function createTradedUnpriced(report: Report): TradedUnpriced {
  /** Oldest first. */
  let unpriced: Traded[] = [];
  let pricedThrough = 0n;

  function mark(acceptedAt: Instant): void {
    for (let place = unpriced.length - 1; place >= 0; place -= 1) {
      const traded = unpriced[place];
      if (traded === undefined || traded.overdueAt !== null) return;
      if (acceptedAt > traded.minute + MINUTE_MS + CLOSED_WITHIN_MS) traded.overdueAt = acceptedAt;
    }
  }

  return {
    accept(index, acceptedAt) {
      mark(acceptedAt);
      const minute = acceptedAt - (acceptedAt % MINUTE_MS);
      const newest = unpriced.at(-1)?.minute ?? 0n;
      // Near its start the price may be of the minute before.
      if (acceptedAt - LAST_TICK_AGE_MAX_MS < minute || minute < pricedThrough || minute <= newest) return;
      unpriced.push({ minute, index, overdueAt: null });
    },
    priced(time) {
      if (time + MINUTE_MS <= pricedThrough) return;
      pricedThrough = time + MINUTE_MS;
      unpriced = unpriced.filter(({ minute }) => minute >= pricedThrough);
    },
    finish(newest) {
      const withheld = unpriced.find(({ overdueAt }) => overdueAt !== null && newest > overdueAt + CAUGHT_UP_WITHIN_MS);
      if (withheld === undefined) return;
      const { minute, index, overdueAt } = withheld;
      const after = ((overdueAt ?? 0n) - minute - MINUTE_MS) / 1_000n;
      const start = new Date(Number(minute)).toISOString();
      const what = `orders were accepted in the minute of ${start} and ${after} s after it, and no price of it followed`;
      faultAt(report, "prices", index, what);
    },
  };
}
