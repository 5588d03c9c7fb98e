import { setImmediate as turn } from "node:timers/promises";
import type { Instant } from "@fairtick/domain";
import type { DecidedRounds } from "../round-rows.ts";
import type { SeedVault } from "../seed-vault.ts";
import { openSm1Epoch, type Sm1Epoch, type Sm1EpochSecret, type Sm1States, type Sm1Tick } from "../sm1-epoch.ts";

/** Steps to compute at once when catching up, with a tick of every instrument each. */
export const CATCH_UP_STEPS = 50;

/** The signature of an epoch's round, null if it did not come in time, or undefined until that is decided. */
export type DecidedRound = (epoch: bigint, round: bigint) => Uint8Array | null | undefined;

/** The ticks of all instruments at one time; none if the round of that time did not come. */
export interface EpochStep {
  readonly time: Instant;
  readonly ticks: readonly Sm1Tick[];
}

/** Computes the opened epochs of the simulated market step by step, one epoch after the other. */
export interface EpochRun {
  /** Adds an opened epoch after all others. It starts with the next `advance`. */
  add(secret: Sm1EpochSecret): void;
  /** Moves to the next opened epoch once the current one is complete. */
  advance(): void;
  /** Computes the next step if it is due by `now` and its round is decided; otherwise returns null. */
  step(now: Instant): EpochStep | null;
  /** Computes the steps up to a seal. Undecided rounds there had no ticks. */
  catchUp(sealedThrough: Instant): Promise<void>;
  /** Returns when the next step is due; null if no epoch is open. */
  nextDueAt(): Instant | null;
  /** Whether a step is due by `now` but its round is undecided. */
  isWaiting(now: Instant): boolean;
  /** Returns the opened epochs that have not started, in order. */
  upcoming(): readonly Sm1EpochSecret[];
  /** Counts the current epoch and those after it. */
  openCount(): number;
  /** Returns the epochs that are computed to their end but not revealed, in order. */
  complete(): readonly Sm1Epoch[];
  /** Drops a complete epoch that was revealed. */
  drop(epoch: Sm1Epoch): void;
  /** Sets the states that the next epoch starts from if they can't be computed from the epochs before. */
  breakChain(from: Sm1States): void;
  /** Returns those states, or the ones that an epoch without a successor ended with; null if there are none. */
  brokenChainFrom(): Sm1States | null;
}

export function createEpochRun(vault: SeedVault, decided: DecidedRound): EpochRun {
  return new OpenedEpochs(vault, decided);
}

class OpenedEpochs implements EpochRun {
  readonly #vault: SeedVault;
  readonly #decided: DecidedRound;
  #current: Sm1Epoch | undefined;
  /** Opened epochs after the current one, in order. */
  readonly #upcoming: Sm1EpochSecret[] = [];
  #complete: Sm1Epoch[] = [];
  #brokenChainFrom: Sm1States | null = null;

  constructor(vault: SeedVault, decided: DecidedRound) {
    this.#vault = vault;
    this.#decided = decided;
  }

  add(secret: Sm1EpochSecret): void {
    this.#upcoming.push(secret);
  }

  advance(): void {
    const ended = this.#current;
    if (ended && !ended.isComplete()) return;
    if (ended) this.#complete.push(ended);
    const secret = this.#upcoming.shift();
    if (ended && !secret) this.#brokenChainFrom = ended.states();
    this.#current = secret && openSm1Epoch(secret, this.#startOf(secret, ended));
  }

  step(now: Instant): EpochStep | null {
    const current = this.#current;
    if (!current || current.nextTime() > now) return null;
    const time = current.nextTime();
    const signature = this.#roundOf(current);
    if (signature === undefined) return null;
    const ticks = current.step(signature);
    this.advance();
    return { time, ticks };
  }

  async catchUp(sealedThrough: Instant): Promise<void> {
    for (let steps = 1; this.#current && this.#current.nextTime() <= sealedThrough; steps += 1) {
      this.#current.step(this.#roundOf(this.#current) ?? null);
      // Let the writer's lease be renewed.
      if (steps % CATCH_UP_STEPS === 0) await turn();
      this.advance();
    }
  }

  nextDueAt(): Instant | null {
    return this.#current?.nextTime() ?? this.#upcoming[0]?.start ?? null;
  }

  isWaiting(now: Instant): boolean {
    const current = this.#current;
    return current !== undefined && current.nextTime() <= now && this.#roundOf(current) === undefined;
  }

  upcoming(): readonly Sm1EpochSecret[] {
    return this.#upcoming;
  }

  openCount(): number {
    return this.#upcoming.length + (this.#current ? 1 : 0);
  }

  complete(): readonly Sm1Epoch[] {
    return this.#complete;
  }

  drop(epoch: Sm1Epoch): void {
    this.#complete = this.#complete.filter((one) => one !== epoch);
  }

  breakChain(from: Sm1States): void {
    this.#brokenChainFrom = from;
  }

  brokenChainFrom(): Sm1States | null {
    return this.#brokenChainFrom;
  }

  /** Returns the states that an epoch starts from: the ones stored for it, else those that the epoch before ended with. */
  #startOf(secret: Sm1EpochSecret, before: Sm1Epoch | undefined): Sm1States {
    return this.#vault.readStart(secret.epoch) ?? before?.states() ?? this.#brokenChainFrom ?? new Map();
  }

  /** Returns the round that the next step is made from; undefined while that is undecided. */
  #roundOf(epoch: Sm1Epoch): Uint8Array | null | undefined {
    const round = epoch.nextRound();
    return round === null ? null : this.#decided(epoch.epoch, round);
  }
}

/** Computes the final states of a finished epoch from the rounds that it used. */
export async function computeFinalStates(epoch: Sm1Epoch, used: DecidedRounds = new Map()): Promise<Sm1States> {
  while (!epoch.isComplete()) {
    const round = epoch.nextRound();
    epoch.step(round === null ? null : (used.get(round) ?? null));
    if (epoch.nextTick() % CATCH_UP_STEPS === 0) await turn();
  }
  return epoch.states();
}
