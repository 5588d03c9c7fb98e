import { randomBytes } from "node:crypto";
import {
  type Candle,
  CANDLE_INTERVALS,
  type CandleInterval,
  candleStart,
  DAY_MS,
  LAST_TICK_AGE_MAX_MS,
  mergeCandles,
  SM1_TICK_MS,
  sm1Quote,
  sm1Start,
  sm1Step,
  type Instant,
  type Points,
  type Sm1Params,
  type Sm1State,
} from "@fairtick/domain";
import type { Genesis, HistoryTick } from "./market-rows.ts";

const MINUTE_MS = 60_000n;
const TICKS_MS = 3_600_000n;
/** Before those, there are fewer ticks: enough for 500 candles of fifteen seconds. */
const SPARSE_TICKS_MS = 4_020_000n;
const SPARSE_STEP_MS = 2_500n;
const MINUTES_MS = 23n * 3_600_000n;
/** Steps in a candle, so that each has a high and a low. */
const STEPS_PER_CANDLE = 4;
/** Random bytes that a step uses, as many as a tick of a real epoch. */
const DRAW_BYTES = 32;
/**
 * What lies before the minutes, newest first: over how many days there are candles of which length. With the candles after them,
 * a chart has at least 500 of every length.
 */
const OLDER = [
  { interval: "5m", days: 1n },
  { interval: "15m", days: 4n },
  { interval: "1h", days: 16n },
  { interval: "1d", days: 480n },
] as const satisfies readonly { interval: CandleInterval; days: bigint }[];

/**
 * Makes the history that charts show before the first epoch, all marked pre-genesis: two hours of ticks, a day or two of one-minute
 * candles, and about 500 days of longer ones, which become coarser further back. It is made backwards from the anchor price, where
 * the first epoch starts, so that the price continues without a jump. It ends early enough before `end` for its last tick to be
 * stale. Therefore no order can refer to it, no one has to recompute it, and its random bytes are discarded.
 */
export function makeHistory(params: Sm1Params, end: Instant): Genesis {
  const { symbol } = params;
  const lastTick = (((end - LAST_TICK_AGE_MAX_MS - 1n) / SM1_TICK_MS) * SM1_TICK_MS) as Instant;
  const firstClose = (((lastTick - TICKS_MS) / MINUTE_MS) * MINUTE_MS) as Instant;
  const firstTick = (firstClose - SPARSE_TICKS_MS) as Instant;
  const close = makePrices(params, sm1Start(params), { from: firstClose, to: lastTick, stepMs: SM1_TICK_MS });
  const sparse = makePrices(params, close.before, {
    from: firstTick,
    to: (firstClose - SPARSE_STEP_MS) as Instant,
    stepMs: SPARSE_STEP_MS,
  });
  let state = sparse.before;
  const ticks = [...sparse.prices, ...close.prices].map(({ time, price }, index): HistoryTick => ({
    symbol,
    seq: BigInt(index + 1),
    time,
    price,
  }));

  // Longer candles begin at midnight, so that each is made of whole shorter ones.
  const midnight = candleStart((firstTick - MINUTES_MS) as Instant, "1d");
  const minutes = makeCandles(params, state, { interval: "1m", from: midnight, to: firstTick });
  const older: { interval: CandleInterval; candles: Candle[] }[] = [];
  state = minutes.before;
  let to = midnight;
  for (const { interval, days } of OLDER) {
    const from = (to - days * DAY_MS) as Instant;
    const made = makeCandles(params, state, { interval, from, to });
    older.unshift({ interval, candles: made.candles });
    state = made.before;
    to = from;
  }
  const longCandles = OLDER.map(({ interval }) => {
    const parts = older.filter((part) => CANDLE_INTERVALS[part.interval] <= CANDLE_INTERVALS[interval]);
    const candles = mergeCandles(
      parts.flatMap((part) => part.candles),
      interval,
    );
    return { lengthMs: CANDLE_INTERVALS[interval], candles };
  });
  return { symbol, candles: minutes.candles, longCandles, ticks, sealedThrough: lastTick };
}

/** Makes prices backwards from a state. Returns them oldest first, and the state before them. */
function makePrices(
  params: Sm1Params,
  after: Sm1State,
  { from, to, stepMs }: { from: Instant; to: Instant; stepMs: bigint },
) {
  const long = longerSteps(params, Number(stepMs / SM1_TICK_MS));
  let state = after;
  const prices: { time: Instant; price: Points }[] = [];
  for (let time: bigint = to; time >= from; time -= stepMs) {
    prices.push({ time: time as Instant, price: sm1Quote(long, state).mid });
    state = sm1Step(long, state, draw());
  }
  return { prices: prices.reverse(), before: state };
}

interface Stretch {
  readonly interval: CandleInterval;
  readonly from: Instant;
  readonly to: Instant;
}

/** Makes the candles of a stretch backwards from a state. Returns them oldest first, and the state before them. */
function makeCandles(params: Sm1Params, after: Sm1State, { interval, from, to }: Stretch) {
  const length = CANDLE_INTERVALS[interval];
  const long = longerSteps(params, Number(length / SM1_TICK_MS) / STEPS_PER_CANDLE);
  let state = after;
  const candles: Candle[] = [];
  for (let time = to - length; time >= from; time -= length) {
    const close = sm1Quote(long, state).mid;
    let [high, low, open] = [close, close, close];
    for (let step = 0; step < STEPS_PER_CANDLE; step += 1) {
      state = sm1Step(long, state, draw());
      open = sm1Quote(long, state).mid;
      if (open > high) high = open;
      if (open < low) low = open;
    }
    candles.push({ time: time as Instant, open, high, low, close });
  }
  return { candles: candles.reverse(), before: state };
}

function draw(): Uint8Array {
  return randomBytes(DRAW_BYTES);
}

/** Makes an empty history, for instruments with a real source. */
export function noHistory(symbol: string, end: Instant): Genesis {
  return { symbol, candles: [], longCandles: [], ticks: [], sealedThrough: end };
}

/** Returns the time of the earliest tick that `makeHistory` makes. Partitions must exist from then on. */
export function historyFrom(end: Instant): Instant {
  return (end - TICKS_MS - SPARSE_TICKS_MS - 2n * MINUTE_MS) as Instant;
}

/**
 * Returns the parameters of steps that last as long as so many ticks: √n times the moves, n times the pull. In a step of a minute
 * or longer, jumps and changes of regime average out; in a shorter one, they are n times as likely.
 */
function longerSteps(params: Sm1Params, ticks: number): Sm1Params {
  const isShort = BigInt(ticks) * SM1_TICK_MS < MINUTE_MS;
  const times = (probability: number) => (isShort ? probability * ticks : 0);
  const [a, b, c, d] = params.switches;
  return {
    ...params,
    sigma: (params.sigma * BigInt(Math.round(Math.sqrt(ticks) * 1_000))) / 1_000n,
    jump: times(params.jump),
    pull: params.pull > 0 ? Math.max(params.pull - Math.round(Math.log2(ticks)), 1) : 0,
    switches: [times(a), times(b), times(c), times(d)],
  };
}
