import { randomBytes } from "node:crypto";
import {
  LAST_TICK_AGE_MAX_MS,
  SM1_TICK_MS,
  sm1Quote,
  sm1Start,
  sm1Step,
  type Instant,
  type Points,
  type Sm1Params,
} from "@fairtick/domain";
import type { Genesis, HistoryCandle, HistoryTick } from "./market-rows.ts";

const MINUTE_MS = 60_000n;
const TICKS_MS = 3_600_000n;
const CANDLE_MINUTES = 23 * 60;
/** Steps in a minute, so that each candle has a high and a low. */
const STEPS_PER_MINUTE = 4;
/** A step lasts 15 s instead of 0.5 s: 30 times the probabilities, √30 times the moves (in thousandths). */
const LONGER = 30;
const LONGER_ROOT = 5_477n;
/** Random bytes that a step uses, as many as a tick of a real epoch. */
const DRAW_BYTES = 32;

/**
 * Makes the history that charts show before the first epoch: 23 hours of one-minute candles and an hour of ticks, all marked
 * pre-genesis. It is made backwards from the anchor price, where the first epoch starts, so that the price continues without a
 * jump. It ends early enough before `end` for its last tick to be stale. Therefore no order can refer to it, no one has to
 * recompute it, and its random bytes are discarded.
 */
export function makeHistory(params: Sm1Params, end: Instant): Genesis {
  const bytes = () => randomBytes(DRAW_BYTES);

  const lastTick = ((end - LAST_TICK_AGE_MAX_MS - 1n) / SM1_TICK_MS) * SM1_TICK_MS;
  const firstTick = ((lastTick - TICKS_MS) / MINUTE_MS) * MINUTE_MS;
  let state = sm1Start(params);
  const backwards: { time: Instant; price: Points }[] = [];
  for (let time = lastTick; time >= firstTick; time -= SM1_TICK_MS) {
    backwards.push({ time: time as Instant, price: sm1Quote(params, state).mid });
    state = sm1Step(params, state, bytes());
  }
  const ticks = backwards
    .reverse()
    .map(({ time, price }, index): HistoryTick => ({ symbol: params.symbol, seq: BigInt(index + 1), time, price }));

  const long = longerSteps(params);
  const candles: HistoryCandle[] = [];
  for (let minute = 1; minute <= CANDLE_MINUTES; minute += 1) {
    const close = sm1Quote(long, state).mid;
    let [high, low, open] = [close, close, close];
    for (let step = 0; step < STEPS_PER_MINUTE; step += 1) {
      state = sm1Step(long, state, bytes());
      open = sm1Quote(long, state).mid;
      if (open > high) high = open;
      if (open < low) low = open;
    }
    const time = (firstTick - BigInt(minute) * MINUTE_MS) as Instant;
    candles.push({ symbol: params.symbol, time, open, high, low, close });
  }
  return { symbol: params.symbol, candles: candles.reverse(), ticks, sealedThrough: lastTick as Instant };
}

/** Makes an empty history, for instruments with a real source. */
export function noHistory(symbol: string, end: Instant): Genesis {
  return { symbol, candles: [], ticks: [], sealedThrough: end };
}

/** Returns the time of the earliest tick that `makeHistory` makes. Partitions must exist from then on. */
export function historyFrom(end: Instant): Instant {
  return (end - TICKS_MS - MINUTE_MS) as Instant;
}

function longerSteps(params: Sm1Params): Sm1Params {
  const [a, b, c, d] = params.switches;
  return {
    ...params,
    sigma: (params.sigma * LONGER_ROOT) / 1_000n,
    jump: params.jump * LONGER,
    switches: [a * LONGER, b * LONGER, c * LONGER, d * LONGER],
  };
}
