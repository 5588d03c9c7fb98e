import type { Instant } from "../base/time.ts";
import { concatBytes, u64, utf8 } from "../log/bytes.ts";
import type { Hashes } from "../log/hashes.ts";
import { type BeaconTimes, beaconRoundAt } from "./beacon-time.ts";
import {
  SM1_TICKS_PER_EPOCH,
  sm1Bytes,
  sm1InstrumentKey,
  sm1Quote,
  sm1Step,
  sm1TickTime,
  type Sm1Params,
  type Sm1State,
} from "./sm1.ts";
import type { Sm1Tick } from "./sm1-epoch.ts";

/**
 * SM2 is SM1 with noise that needs a beacon's round as well as the epoch's seed, so that not even the holder of the
 * seed knows a price before the round of its time is published. Epochs, steps and quotes are the same as SM1's.
 */

/** A round that is this late gets no ticks, then or later. */
export const SM2_ROUND_WAIT_MS = 1_500n;

/**
 * Makes the key for the ticks in a round's time: HKDF-SHA256 (RFC 5869) of the instrument's key, with the round's
 * signature as salt and the round's number in the info.
 */
export function sm2WindowKey(
  hashes: Hashes,
  instrumentKey: Uint8Array,
  round: bigint,
  signature: Uint8Array,
): Uint8Array {
  const extracted = hashes.hmacSha256(signature, instrumentKey);
  return hashes.hmacSha256(extracted, concatBytes(utf8("SM2/round\0"), u64(round), Uint8Array.of(1)));
}

export interface Sm2Epoch {
  readonly params: Sm1Params;
  /** The epoch's key, made by `sm1EpochKey`. */
  readonly epochKey: Uint8Array;
  readonly start: Instant;
  readonly beacon: BeaconTimes;
}

/** One instrument's ticks of an epoch, made one by one in order. */
export interface Sm2Walk {
  /** Index of the next tick, 0 to 1199; 1200 when the epoch is over. */
  readonly t: number;
  readonly state: Sm1State;
  /** The round that the next tick needs. */
  round(): bigint;
  /** Makes the next tick with that round's verified signature. Throws past the end of the epoch. */
  next(signature: Uint8Array): Sm1Tick;
  /** Skips the next tick because its round never came; the price stays unchanged. Throws past the end of the epoch. */
  skip(): void;
}

/** Starts an instrument's walk through an epoch. `from` is the state at the end of the previous epoch. */
export function sm2Walk(hashes: Hashes, epoch: Sm2Epoch, from: Sm1State): Sm2Walk {
  const { params, start, beacon } = epoch;
  const instrumentKey = sm1InstrumentKey(hashes, epoch.epochKey, params.name);
  let t = 0;
  let state = from;
  let window: { readonly round: bigint; readonly signature: Uint8Array; readonly key: Uint8Array } | undefined;

  function round(): bigint {
    if (t >= SM1_TICKS_PER_EPOCH) throw new Error(`the epoch of ${params.symbol} is over`);
    return beaconRoundAt(beacon, sm1TickTime(start, t));
  }

  return {
    get t() {
      return t;
    },
    get state() {
      return state;
    },
    round,
    next(signature) {
      const due = round();
      if (window?.round !== due || window.signature !== signature) {
        window = { round: due, signature, key: sm2WindowKey(hashes, instrumentKey, due, signature) };
      }
      state = sm1Step(params, state, sm1Bytes(hashes, window.key, t));
      const tick = { t, state, ...sm1Quote(params, state) };
      t += 1;
      return tick;
    },
    skip() {
      round();
      t += 1;
    },
  };
}

/** Round number → the round's signature. A round that isn't included never came. */
export type Sm2Rounds = ReadonlyMap<bigint, Uint8Array>;

/** Makes the ticks of one instrument in an epoch, except those in the time of a round that `rounds` doesn't include. */
export function sm2EpochTicks(
  hashes: Hashes,
  epoch: Sm2Epoch,
  from: Sm1State,
  rounds: Sm2Rounds,
): { readonly ticks: readonly Sm1Tick[]; readonly end: Sm1State } {
  const walk = sm2Walk(hashes, epoch, from);
  const ticks: Sm1Tick[] = [];
  while (walk.t < SM1_TICKS_PER_EPOCH) {
    const signature = rounds.get(walk.round());
    if (signature === undefined) walk.skip();
    else ticks.push(walk.next(signature));
  }
  return { ticks, end: walk.state };
}
