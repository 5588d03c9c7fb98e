import { createHash, type Hash } from "node:crypto";
import {
  SM1_TICKS_PER_EPOCH,
  sm1Bytes,
  sm1EpochKey,
  sm1InstrumentKey,
  sm1Quote,
  sm1Start,
  sm1Step,
  sm1TickTime,
  type Instant,
  type Points,
  type Sm1Params,
  type Sm1State,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";

/** Where each instrument's path stands, by symbol. */
export type Sm1States = ReadonlyMap<string, Sm1State>;

export interface Sm1Tick {
  readonly symbol: string;
  readonly price: Points;
}

/** What is needed to compute an opened epoch. */
export interface Sm1EpochSecret {
  readonly epoch: bigint;
  readonly start: Instant;
  readonly seed: Uint8Array;
  readonly mix: Uint8Array;
  readonly instruments: readonly Sm1Params[];
}

/** One opened epoch being computed, tick by tick: all its instruments at once. */
export interface Sm1Epoch {
  readonly epoch: bigint;
  readonly start: Instant;
  /** The moment after its last tick, the earliest start of the next epoch. */
  readonly end: Instant;
  readonly seed: Uint8Array;
  /** Where the epoch started from: part of its reveal. */
  readonly from: Sm1States;
  /** The next tick to compute, 0 … 1200 (then the epoch is complete). */
  nextTick(): number;
  nextTime(): Instant;
  isComplete(): boolean;
  /** Computes the next tick of every instrument. */
  step(): readonly Sm1Tick[];
  /** Where the paths stand after the last computed tick. */
  states(): Sm1States;
  /** SHA-256 of the lines `e,t,bid,mid,ask,r`, by symbol; once the epoch is complete. */
  digests(): ReadonlyMap<string, string>;
}

interface Path {
  readonly params: Sm1Params;
  readonly key: Uint8Array;
  readonly digest: Hash;
  state: Sm1State;
}

/** Instruments that `from` does not know start at their anchor. */
export function openSm1Epoch(secret: Sm1EpochSecret, from: Sm1States): Sm1Epoch {
  const { epoch, start, seed, mix, instruments } = secret;
  const epochKey = sm1EpochKey(nodeHashes, epoch, seed, mix);
  const paths = instruments.map((params): Path => ({
    params,
    key: sm1InstrumentKey(nodeHashes, epochKey, params.name),
    digest: createHash("sha256"),
    state: from.get(params.symbol) ?? sm1Start(params),
  }));
  const startedFrom = statesOf(paths);
  let t = 0;
  let digests: ReadonlyMap<string, string> | undefined;

  function stepPath(path: Path): Sm1Tick {
    path.state = sm1Step(path.params, path.state, sm1Bytes(nodeHashes, path.key, t));
    const { bid, mid, ask } = sm1Quote(path.params, path.state);
    path.digest.update(`${t === 0 ? "" : "\n"}${epoch},${t},${bid},${mid},${ask},${path.state.regime}`);
    return { symbol: path.params.symbol, price: mid };
  }

  return {
    epoch,
    start,
    end: sm1TickTime(start, SM1_TICKS_PER_EPOCH),
    seed,
    from: startedFrom,
    nextTick: () => t,
    nextTime: () => sm1TickTime(start, t),
    isComplete: () => t === SM1_TICKS_PER_EPOCH,
    step() {
      if (t === SM1_TICKS_PER_EPOCH) throw new Error(`epoch ${epoch} is complete`);
      const ticks = paths.map(stepPath);
      t += 1;
      return ticks;
    },
    states: () => statesOf(paths),
    digests() {
      if (t < SM1_TICKS_PER_EPOCH) throw new Error(`epoch ${epoch} is not complete`);
      digests ??= new Map(paths.map((path) => [path.params.symbol, path.digest.digest("hex")]));
      return digests;
    },
  };
}

function statesOf(paths: readonly Path[]): Sm1States {
  return new Map(paths.map((path) => [path.params.symbol, path.state]));
}
