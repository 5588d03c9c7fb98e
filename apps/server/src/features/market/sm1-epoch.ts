import { createHash, type Hash } from "node:crypto";
import {
  beaconRoundAt,
  SM1_TICKS_PER_EPOCH,
  sm1Bytes,
  sm1EpochKey,
  sm1InstrumentKey,
  sm1Quote,
  sm1Start,
  sm1Step,
  sm1TickTime,
  sm2WindowKey,
  type Instant,
  type Points,
  type Sm1Params,
  type Sm1State,
  type Sm2Rounds,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { BeaconChain } from "@fairtick/transparency";

/** The state of each instrument's path, by symbol. */
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
  /** The beacon's chain whose rounds it needs; null for SM1. */
  readonly beacon: BeaconChain | null;
}

/** An opened epoch that is computed tick by tick, all its instruments together. */
export interface Sm1Epoch {
  readonly epoch: bigint;
  readonly start: Instant;
  /** The end of its last tick's interval: the earliest start of the next epoch. */
  readonly end: Instant;
  readonly seed: Uint8Array;
  readonly beacon: BeaconChain | null;
  /** The epoch's starting states, which are part of its reveal. */
  readonly from: Sm1States;
  /** Number of the next tick to compute, 0 to 1200. At 1200 the epoch is complete. */
  nextTick(): number;
  nextTime(): Instant;
  /** Number of the beacon's round that the next tick needs; null for SM1. */
  nextRound(): bigint | null;
  isComplete(): boolean;
  /**
   * Computes the next tick of every instrument. For SM2 it takes the verified signature of the tick's round. Null means that
   * the round did not come: then there are no ticks and the paths stand still.
   */
  step(signature: Uint8Array | null): readonly Sm1Tick[];
  /** Returns the states after the last computed tick. */
  states(): Sm1States;
  /** Returns the rounds that ticks were made from, which are part of the reveal. */
  rounds(): Sm2Rounds;
  /** Returns the SHA-256 of the lines `e,t,bid,mid,ask,r` by symbol. Throws before the epoch is complete. */
  digests(): ReadonlyMap<string, string>;
}

interface Path {
  readonly params: Sm1Params;
  readonly key: Uint8Array;
  readonly digest: Hash;
  /** The key that the current round's ticks are made from. For SM1 always `key` itself. */
  noise: Uint8Array;
  hasTicks: boolean;
  state: Sm1State;
}

/** Opens an epoch that starts from these states. Instruments that are not in `from` start at their anchor price. */
export function openSm1Epoch(secret: Sm1EpochSecret, from: Sm1States): Sm1Epoch {
  const { epoch, start, seed, mix, instruments, beacon } = secret;
  const epochKey = sm1EpochKey(nodeHashes, epoch, seed, mix);
  const paths = instruments.map((params): Path => {
    const key = sm1InstrumentKey(nodeHashes, epochKey, params.name);
    const state = from.get(params.symbol) ?? sm1Start(params);
    return { params, key, digest: createHash("sha256"), noise: key, hasTicks: false, state };
  });
  const startedFrom = statesOf(paths);
  const rounds = new Map<bigint, Uint8Array>();
  let t = 0;
  let digests: ReadonlyMap<string, string> | undefined;

  function stepPath(path: Path): Sm1Tick {
    path.state = sm1Step(path.params, path.state, sm1Bytes(nodeHashes, path.noise, t));
    const { bid, mid, ask } = sm1Quote(path.params, path.state);
    path.digest.update(`${path.hasTicks ? "\n" : ""}${epoch},${t},${bid},${mid},${ask},${path.state.regime}`);
    path.hasTicks = true;
    return { symbol: path.params.symbol, price: mid };
  }

  function nextRound(): bigint | null {
    return beacon && beaconRoundAt(beacon, sm1TickTime(start, t));
  }

  function useRound(round: bigint, signature: Uint8Array): void {
    if (rounds.has(round)) return;
    rounds.set(round, signature);
    for (const path of paths) path.noise = sm2WindowKey(nodeHashes, path.key, round, signature);
  }

  return {
    epoch,
    start,
    end: sm1TickTime(start, SM1_TICKS_PER_EPOCH),
    seed,
    beacon,
    from: startedFrom,
    nextTick: () => t,
    nextTime: () => sm1TickTime(start, t),
    nextRound,
    isComplete: () => t === SM1_TICKS_PER_EPOCH,
    step(signature) {
      if (t === SM1_TICKS_PER_EPOCH) throw new Error(`epoch ${epoch} is complete`);
      const round = nextRound();
      if (round !== null && signature !== null) useRound(round, signature);
      const ticks = round !== null && signature === null ? [] : paths.map(stepPath);
      t += 1;
      return ticks;
    },
    states: () => statesOf(paths),
    rounds: () => rounds,
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
