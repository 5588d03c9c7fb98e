import { concatBytes, u32, u64, utf8 } from "../log/bytes.ts";
import type { Hashes } from "../log/hashes.ts";
import type { Points } from "./price.ts";
import type { Instant } from "../base/time.ts";

/**
 * SM1, the simulated market that anyone can recompute. It uses only integers, and its randomness is the HMAC-SHA256 of
 * a seed that is committed before its epoch and revealed after it. `x` is the mid price times 2^32; `regime` is 0 calm,
 * 1 normal, 2 storm.
 */
export const SM1_TICKS_PER_EPOCH = 1200;
export const SM1_TICK_MS = 500n;
export const SM1_EPOCH_MS = 600_000n;

/**
 * Probabilities of changing regime, in units of 2^-32: calm → normal, normal → calm, normal → storm, storm → normal.
 */
export type Sm1Switches = readonly [number, number, number, number];
export const SM1_DEFAULT_SWITCHES: Sm1Switches = [3_579_139, 3_579_139, 3_976_822, 17_895_697];

export interface Sm1Params {
  readonly symbol: string;
  /** The hashed form, such as `EUR/USD`. */
  readonly name: string;
  readonly anchor: Points;
  /** round(annual volatility / sqrt(half-seconds a year) · 2^40) */
  readonly sigma: bigint;
  /** Probability of a jump at each tick, in 65536ths. */
  readonly jump: number;
  /** Spread in points; doubled in a storm. */
  readonly spread: bigint;
  /** Each tick moves 2^-pull of the way back to the anchor; 0 for no pull. */
  readonly pull: number;
  readonly switches: Sm1Switches;
  /** Decimal places of the price. */
  readonly digits: number;
}

export type Sm1Regime = 0 | 1 | 2;

export interface Sm1State {
  readonly x: bigint;
  readonly regime: Sm1Regime;
}

export interface Sm1Quote {
  readonly bid: Points;
  /** The price on which orders settle. */
  readonly mid: Points;
  readonly ask: Points;
}

const REGIME_FACTORS = [166, 256, 486] as const;
const MEAN_OF_TWELVE = 393_210;

export function sm1Start(params: Sm1Params): Sm1State {
  return { x: params.anchor << 32n, regime: 1 };
}

/** Returns when tick t of an epoch is due. It is never published earlier. */
export function sm1TickTime(start: Instant, t: number): Instant {
  return (start + BigInt(t) * SM1_TICK_MS) as Instant;
}

export function sm1Commit(hashes: Hashes, epoch: bigint, seed: Uint8Array, paramsHash: Uint8Array): Uint8Array {
  return hashes.sha256(concatBytes(utf8("SM1/commit\0"), u64(epoch), seed, paramsHash));
}

/**
 * Returns the mix of an epoch. `source` is the witness's cosignature; without a witness, the checkpoint's root; before
 * there is a log, the commit.
 */
export function sm1Mix(hashes: Hashes, source: Uint8Array): Uint8Array {
  return hashes.sha256(concatBytes(utf8("SM1/mix\0"), source));
}

export function sm1EpochKey(hashes: Hashes, epoch: bigint, seed: Uint8Array, mix: Uint8Array): Uint8Array {
  return hashes.hmacSha256(seed, concatBytes(utf8("SM1/epoch\0"), u64(epoch), mix));
}

export function sm1InstrumentKey(hashes: Hashes, epochKey: Uint8Array, name: string): Uint8Array {
  return hashes.hmacSha256(epochKey, concatBytes(utf8("SM1/inst\0"), utf8(name)));
}

/** Returns the 32 random bytes of tick t. */
export function sm1Bytes(hashes: Hashes, instrumentKey: Uint8Array, t: number): Uint8Array {
  return hashes.hmacSha256(instrumentKey, u32(t));
}

/** Returns the state after one more tick, given that tick's random bytes. */
export function sm1Step(params: Sm1Params, state: Sm1State, bytes: Uint8Array): Sm1State {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let sum = 0;
  for (let offset = 0; offset < 24; offset += 2) sum += view.getUint16(offset);
  const regime = nextRegime(params.switches, state.regime, view.getUint32(24));
  let move = (sum - MEAN_OF_TWELVE) * REGIME_FACTORS[regime];
  if (view.getUint16(28) < params.jump) {
    const draw = view.getUint16(30);
    const size = 8 + ((draw & 0x7fff) % 17);
    move += (draw & 0x8000 ? size : -size) * 0x100_0000;
  }
  let { x } = state;
  const anchor = params.anchor << 32n;
  x += (x * BigInt(move) * params.sigma + (1n << 63n)) >> 64n;
  if (params.pull > 0) x += (anchor - x) >> BigInt(params.pull);
  const low = anchor >> 2n;
  const high = anchor << 2n;
  if (x < low) x = low;
  else if (x > high) x = high;
  return { x, regime };
}

export function sm1Quote(params: Sm1Params, state: Sm1State): Sm1Quote {
  const mid = (state.x + (1n << 31n)) >> 32n;
  const spread = params.spread * (state.regime === 2 ? 2n : 1n);
  const bid = mid - (spread >> 1n);
  return { bid: bid as Points, mid: mid as Points, ask: (bid + spread) as Points };
}

function nextRegime(switches: Sm1Switches, regime: Sm1Regime, draw: number): Sm1Regime {
  switch (regime) {
    case 0:
      return draw < switches[0] ? 1 : 0;
    case 1:
      if (draw < switches[1]) return 0;
      return draw < switches[1] + switches[2] ? 2 : 1;
    case 2:
      return draw < switches[3] ? 1 : 2;
  }
}
