import { LAST_TICK_AGE_MAX_MS, type Instant } from "@fairtick/domain";
import { faultAt, type Report } from "./log-finding.ts";

const MINUTE_MS = 60_000n;
/** How long orders may be accepted with overdue prices, ms. The house stops after 15 s; the rest allows for delay. */
const CLOSED_WITHIN_MS = 20_000n;
/** How long an honest house may take to log the prices after such an order, ms, such as after a machine pause. */
const CAUGHT_UP_WITHIN_MS = 10_000n;

/** A minute in which orders were accepted, so it must have had prices. */
interface Traded {
  readonly minute: bigint;
  /** Index of the entry with the first of these orders. */
  readonly index: number;
  /** When the first order was accepted although this minute's prices were overdue; null if none was. */
  overdueAt: Instant | null;
}

/**
 * Detects prices that are kept out of the log even if no head refers to them. Orders are accepted only on fresh prices,
 * and only while all due prices are in the log. So a minute with orders but no prices, followed by a much later order,
 * is a fault.
 */
export interface TradedUnpriced {
  accept(index: number, acceptedAt: Instant): void;
  /** Called for a minute of any instrument, since all instruments' minutes are written together. */
  priced(time: Instant): void;
  /** Reports withheld prices. `newest`: the newest known moment, of the log or the checkpoint, ms. */
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
      // Near the start of a minute, the order's price may be from the minute before.
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
