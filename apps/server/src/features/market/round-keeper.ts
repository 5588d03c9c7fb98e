import { setTimeout as sleep } from "node:timers/promises";
import {
  beaconRoundAt,
  beaconRoundTime,
  equalBytes,
  SM1_TICKS_PER_EPOCH,
  SM2_ROUND_WAIT_MS,
  sm1TickTime,
  type Instant,
} from "@fairtick/domain";
import type { BeaconChain } from "@fairtick/transparency";
import type { Database } from "../../platform/database.ts";
import type { Log } from "../../platform/log.ts";
import type { BeaconDoor } from "../beacon/index.ts";
import type { Sm1EpochSecret } from "./sm1-epoch.ts";
import { type DecidedRounds, readRounds, storeRounds } from "./round-rows.ts";

/** The beacon's chain that new epochs name, and the source of its rounds. */
export interface MarketBeacon {
  readonly chain: BeaconChain;
  readonly door: BeaconDoor;
}

/** An opened epoch whose ticks need rounds of the beacon. */
export interface RoundedEpoch {
  readonly epoch: bigint;
  readonly start: Instant;
  readonly beacon: BeaconChain;
}

/** Returns the epoch in a list if it is one of SM2, otherwise an empty list. */
export function roundedEpoch({ epoch, start, beacon }: Sm1EpochSecret): RoundedEpoch[] {
  return beacon === null ? [] : [{ epoch, start, beacon }];
}

/** Decides for each round, once and finally, whether the ticks of its time are made from it. */
export interface RoundKeeper {
  /** Starts over from the tables. Undecided rounds of these epochs at or below the seal had no ticks. */
  resume(epochs: readonly RoundedEpoch[], sealedThrough: Instant): Promise<void>;
  /** Adds an epoch that was opened. */
  add(epoch: RoundedEpoch): void;
  /** Returns the round's signature, null if it did not come in time, or undefined until that is decided. Throws if the keeper failed. */
  decided(epoch: bigint, round: bigint): Uint8Array | null | undefined;
  /** Drops an epoch whose rounds are no longer needed. */
  forget(epoch: bigint): void;
  stop(): Promise<void>;
}

export interface RoundKeeperParts {
  readonly database: Database;
  readonly log: Log;
  /** The only chain whose rounds can be fetched; null if none can. */
  readonly beacon: MarketBeacon | null;
  readonly writerEpoch: () => bigint;
  readonly now: () => Instant;
}

/** Rounds to fetch at a time after a pause. */
const AT_ONCE = 20;
const TRY_AGAIN_MS = 150;
/** How long to wait for a round that was already due before this process started. */
const LATE_ASK_MS = 3_000;
const IDLE_MS = 100;

/**
 * Creates the keeper. It fetches each round when it is due, until it has come or its time is over. The decision is stored
 * before any tick is made from it, so that a market that restarts or takes over continues with the same. Rounds that became
 * due while no market ran are fetched at the start and may take just as long.
 */
export function createRoundKeeper(parts: RoundKeeperParts): RoundKeeper {
  return new StoredRounds(parts);
}

class StoredRounds implements RoundKeeper {
  readonly #parts: RoundKeeperParts;
  /** The decided rounds of each epoch. */
  readonly #known = new Map<bigint, Map<bigint, Uint8Array | null>>();
  #epochs: RoundedEpoch[] = [];
  #began = 0n as Instant;
  #failure: { readonly error: unknown } | undefined;
  #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(parts: RoundKeeperParts) {
    this.#parts = parts;
  }

  async resume(opened: readonly RoundedEpoch[], sealedThrough: Instant): Promise<void> {
    await this.stop();
    this.#epochs = [...opened];
    this.#known.clear();
    const epochs = opened.map(({ epoch }) => epoch);
    const stored = await readRounds(this.#parts.database, epochs);
    for (const [epoch, rounds] of stored) this.#known.set(epoch, new Map(rounds));
    for (const one of opened) {
      const passed = this.#undecidedOf(one).filter((round) => firstTickOf(one, round) <= sealedThrough);
      await this.#keep(one.epoch, new Map(passed.map((round) => [round, null])));
    }
    this.#began = this.#parts.now();
    this.#begin();
  }

  add(one: RoundedEpoch): void {
    this.#known.set(one.epoch, new Map());
    this.#epochs = [...this.#epochs, one];
  }

  decided(epoch: bigint, round: bigint): Uint8Array | null | undefined {
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#known.get(epoch)?.get(round);
  }

  forget(epoch: bigint): void {
    this.#epochs = this.#epochs.filter((one) => one.epoch !== epoch);
    this.#known.delete(epoch);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#running = undefined;
  }

  #begin(): void {
    this.#stopping = new AbortController();
    this.#failure = undefined;
    const mine = this.#stopping;
    this.#running = this.#loop().catch((error: unknown) => {
      if (!mine.signal.aborted) this.#failure = { error };
    });
  }

  async #loop(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const one = this.#epochs.find((each) => this.#undecidedOf(each).length > 0);
      const [first, ...others] = one === undefined ? [] : this.#undecidedOf(one);
      if (one === undefined || first === undefined) {
        await this.#pause(IDLE_MS);
        continue;
      }
      const now = this.#parts.now();
      const newest = beaconRoundAt(one.beacon, now);
      const due = [first, ...others].filter((round) => round <= newest).slice(0, AT_ONCE);
      if (due.length > 0) await this.#decide(one, due);
      else await this.#pause(Math.min(Number(beaconRoundTime(one.beacon, first) - now), IDLE_MS));
    }
  }

  /** Fetches these due rounds and decides about them. Leaves a round open that may still come. */
  async #decide(one: RoundedEpoch, due: readonly bigint[]): Promise<void> {
    const came = await this.#fetch(one, due);
    if (this.#stopping.signal.aborted) return;
    const decided = new Map<bigint, Uint8Array | null>();
    for (const round of due) {
      const signature = came.get(round);
      if (signature !== undefined) decided.set(round, signature);
      else if (this.#waitOf(one, round) === 0) {
        decided.set(round, null);
        this.#parts.log.warn(
          { epoch: one.epoch.toString(), round: round.toString() },
          "a round of the beacon did not come: its ticks fall out",
        );
      } else break;
    }
    await this.#keep(one.epoch, decided);
    if (decided.size < due.length) await this.#pause(TRY_AGAIN_MS);
  }

  /** Asks the source for rounds for as long as any of them may still come. Without the epoch's chain, none comes. */
  async #fetch(one: RoundedEpoch, due: readonly bigint[]): Promise<ReadonlyMap<bigint, Uint8Array>> {
    const source = this.#parts.beacon;
    if (source === null || !equalBytes(source.chain.publicKey, one.beacon.publicKey)) return new Map();
    const longest = Math.max(LATE_ASK_MS, ...due.map((round) => this.#waitOf(one, round)));
    return source.door.ask(due, AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(longest)]));
  }

  /** Returns how long to wait for a due round, in ms. */
  #waitOf({ beacon }: RoundedEpoch, round: bigint): number {
    const dueAt = beaconRoundTime(beacon, round);
    const until = (dueAt > this.#began ? dueAt : this.#began) + SM2_ROUND_WAIT_MS;
    return Math.max(0, Number(until - this.#parts.now()));
  }

  async #keep(epoch: bigint, rounds: DecidedRounds): Promise<void> {
    if (rounds.size === 0) return;
    await storeRounds(this.#parts.database, this.#parts.writerEpoch(), epoch, rounds);
    for (const [round, signature] of rounds) this.#known.get(epoch)?.set(round, signature);
  }

  #undecidedOf(one: RoundedEpoch): bigint[] {
    const decided = this.#known.get(one.epoch);
    return roundsOf(one).filter((round) => decided?.has(round) !== true);
  }

  #pause(ms: number): Promise<void> {
    return sleep(Math.max(1, ms), undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}

function roundsOf({ start, beacon }: RoundedEpoch): bigint[] {
  const first = beaconRoundAt(beacon, start);
  const last = beaconRoundAt(beacon, sm1TickTime(start, SM1_TICKS_PER_EPOCH - 1));
  // A chain that starts later than the epoch has no rounds for it, and no chain has a round 0.
  if (first < 1n) throw new Error("the epoch starts before the beacon's first round");
  return Array.from({ length: Number(last - first) + 1 }, (_, place) => first + BigInt(place));
}

/** Returns when the first tick that needs the round is due. */
function firstTickOf({ start, beacon }: RoundedEpoch, round: bigint): Instant {
  const dueAt = beaconRoundTime(beacon, round);
  return dueAt > start ? dueAt : start;
}
