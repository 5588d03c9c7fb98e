import { utf8 } from "../log/bytes.ts";
import { type Canonical, canonicalJson } from "../log/canonical-json.ts";
import type { Hashes } from "../log/hashes.ts";
import {
  SM1_EPOCH_MS,
  SM1_TICK_MS,
  SM1_TICKS_PER_EPOCH,
  sm1Bytes,
  sm1InstrumentKey,
  sm1Quote,
  sm1Step,
  type Sm1Params,
  type Sm1Quote,
  type Sm1State,
} from "./sm1.ts";

/**
 * Writes the log's `params` entry, whose SHA-256 is the paramsHash: integers and texts only, with sorted keys. `beacon`
 * is given for SM2 only.
 */
export function sm1ParamsEntry(params: readonly Sm1Params[], beacon?: Readonly<Record<string, Canonical>>): string {
  const instruments = params.map(({ symbol, name, anchor, sigma, jump, spread, pull, switches, digits }) => {
    return { symbol, name, anchor, sigma, jump, spread, pull, switches, digits };
  });
  return canonicalJson({
    kind: "params",
    v: 1,
    model: beacon === undefined ? "SM1" : "SM2",
    epochMs: SM1_EPOCH_MS,
    tickMs: SM1_TICK_MS,
    instruments,
    ...(beacon && { beacon }),
  });
}

export function sm1ParamsHash(hashes: Hashes, entry: string): Uint8Array {
  return hashes.sha256(utf8(entry));
}

/** One tick made by SM1. Its time is `sm1TickTime(start, t)`. */
export interface Sm1Tick extends Sm1Quote {
  readonly t: number;
  /** The state after the tick, from which the next tick or the next epoch continues. */
  readonly state: Sm1State;
}

/** One instrument's ticks of an epoch, made one by one in order. */
export interface Sm1Walk {
  readonly params: Sm1Params;
  /** Index of the next tick, 0 to 1199; 1200 when the epoch is over. */
  readonly t: number;
  readonly state: Sm1State;
  /** Makes tick `t`. Throws past the end of the epoch. */
  next(): Sm1Tick;
}

/** Starts an instrument's walk through an epoch. `from` is the last state of the previous epoch, or `sm1Start`. */
export function sm1Walk(hashes: Hashes, params: Sm1Params, epochKey: Uint8Array, from: Sm1State): Sm1Walk {
  const key = sm1InstrumentKey(hashes, epochKey, params.name);
  let t = 0;
  let state = from;
  return {
    params,
    get t() {
      return t;
    },
    get state() {
      return state;
    },
    next() {
      if (t >= SM1_TICKS_PER_EPOCH) throw new Error(`the epoch of ${params.symbol} is over`);
      state = sm1Step(params, state, sm1Bytes(hashes, key, t));
      const tick = { t, state, ...sm1Quote(params, state) };
      t += 1;
      return tick;
    },
  };
}

/** Makes all 1200 ticks of one instrument in an epoch. */
export function sm1EpochTicks(hashes: Hashes, params: Sm1Params, epochKey: Uint8Array, from: Sm1State): Sm1Tick[] {
  const walk = sm1Walk(hashes, params, epochKey, from);
  return Array.from({ length: SM1_TICKS_PER_EPOCH }, () => walk.next());
}

/**
 * Returns the SHA-256 of the lines "e,t,bid,mid,ask,r" joined by \n, which `epoch.reveal` lists for each instrument.
 */
export function sm1Digest(hashes: Hashes, epoch: bigint, ticks: readonly Sm1Tick[]): Uint8Array {
  const lines = ticks.map(({ t, bid, mid, ask, state }) => `${epoch},${t},${bid},${mid},${ask},${state.regime}`);
  return hashes.sha256(utf8(lines.join("\n")));
}
