import { concatBytes, u64, utf8 } from "../log/bytes.ts";
import { candlesFromTicks, candleStart, type Candle } from "./candle.ts";
import type { Hashes } from "../log/hashes.ts";
import type { Points } from "./price.ts";
import { SM1_TICK_MS, sm1Bytes, sm1InstrumentKey, sm1Quote, sm1Start, sm1Step, type Sm1Params } from "./sm1.ts";
import type { Instant } from "../base/time.ts";

/**
 * What charts show from before the first epoch, marked pre-genesis; no order may refer to it. It walks backwards in
 * time from the anchor, at which the first epoch starts, so that the two meet. Its randomness comes from public values
 * alone: key = HMAC(paramsHash, "SM1/history\0" || u64(start)), then as in an epoch.
 */
export interface Sm1History {
  /** 23 h of one-minute candles up to the first of the ticks, oldest first. */
  readonly candles: readonly Candle[];
  /** The hour (and the part of a minute that aligns it) before the start, oldest first, every 500 ms. */
  readonly ticks: readonly { readonly time: Instant; readonly price: Points }[];
}

const HOUR_MS = 3_600_000n;
const MINUTE_MS = 60_000n;
const HISTORY_MINUTES = 23 * 60;
/** Four steps a minute give a candle its wicks. */
const STEPS_PER_MINUTE = 4;
const STEP_MS = MINUTE_MS / BigInt(STEPS_PER_MINUTE);
const TICKS_PER_STEP = STEP_MS / SM1_TICK_MS;

export function sm1History(hashes: Hashes, params: Sm1Params, paramsHash: Uint8Array, start: Instant): Sm1History {
  const historyKey = hashes.hmacSha256(paramsHash, concatBytes(utf8("SM1/history\0"), u64(start)));
  const key = sm1InstrumentKey(hashes, historyKey, params.name);
  const ticksFrom = candleStart((start - HOUR_MS) as Instant, "1m");
  let state = sm1Start(params);
  let draw = 0;
  const ticks: { time: Instant; price: Points }[] = [];
  for (let time = start - SM1_TICK_MS; time >= ticksFrom; time -= SM1_TICK_MS) {
    state = sm1Step(params, state, sm1Bytes(hashes, key, draw));
    draw += 1;
    ticks.push({ time: time as Instant, price: sm1Quote(params, state).mid });
  }
  const coarse = coarseParams(params);
  const points: { time: Instant; price: Points }[] = [];
  // One step more than the minutes hold: each minute opens where the one before closed.
  let previous = sm1Quote(params, state).mid;
  for (let minute = 1; minute <= HISTORY_MINUTES; minute += 1) {
    const minuteStart = ticksFrom - BigInt(minute) * MINUTE_MS;
    points.push({ time: (minuteStart + MINUTE_MS - 1n) as Instant, price: previous });
    for (let step = STEPS_PER_MINUTE - 1; step >= 0; step -= 1) {
      state = sm1Step(coarse, state, sm1Bytes(hashes, key, draw));
      draw += 1;
      previous = sm1Quote(coarse, state).mid;
      points.push({ time: (minuteStart + BigInt(step) * STEP_MS) as Instant, price: previous });
    }
  }
  return { candles: candlesFromTicks(points.reverse(), "1m"), ticks: ticks.reverse() };
}

/**
 * The same market in steps of 15 s, thirty ticks each: sigma grows with the square root, chances with the number;
 * the pull by 2^5; no jumps, which would grow with sigma.
 */
function coarseParams(params: Sm1Params): Sm1Params {
  const [a, b, c, d] = params.switches;
  const factor = Number(TICKS_PER_STEP);
  return {
    ...params,
    sigma: squareRoot(params.sigma * params.sigma * TICKS_PER_STEP),
    jump: 0,
    pull: params.pull > 5 ? params.pull - 5 : 0,
    switches: [a * factor, b * factor, c * factor, d * factor],
  };
}

/** Of an integer, downwards, by Newton's method. */
function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
