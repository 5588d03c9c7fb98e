import type { Instant } from "@fairtick/domain";
import { faultAt, type Report } from "./log-finding.ts";

/** A minute's prices are logged when it is over; the rest is for a slow writer. */
const PRICED_WITHIN_MS = 90_000n;
/** Of two orders that lie further apart only so much counts: in between the market may have stood still. */
const GAP_MAX_MS = 5_000n;

/** Orders are accepted on fresh prices alone, so a log that has many of them has prices of that time. */
export interface TradedUnpriced {
  accept(index: number, acceptedAt: Instant): void;
  /** A minute of any instrument. */
  priced(): void;
  finish(): void;
}

export function createTradedUnpriced(report: Report): TradedUnpriced {
  let [first, last, traded] = [0, 0n, 0n];
  return {
    accept(index, acceptedAt) {
      if (traded === 0n) first = index;
      const gap = acceptedAt - last;
      if (gap > 0n) {
        traded += gap < GAP_MAX_MS ? gap : GAP_MAX_MS;
        last = acceptedAt;
      }
    },
    priced() {
      traded = 0n;
    },
    finish() {
      if (traded <= PRICED_WITHIN_MS) return;
      faultAt(report, "prices", first, `orders were accepted for ${traded / 1_000n} s, and no price followed`);
    },
  };
}
