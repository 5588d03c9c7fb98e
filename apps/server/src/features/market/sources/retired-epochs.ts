import { SM1_EPOCH_MS, type Instant } from "@fairtick/domain";
import { SIMULATED } from "@fairtick/transparency";
import type { Database } from "../../../platform/database.ts";
import type { Log } from "../../../platform/log.ts";
import { createRoundKeeper, type MarketBeacon, roundedEpoch, type RoundKeeper } from "../round-keeper.ts";
import { readRounds } from "../round-rows.ts";
import { type SeedVault, statesFromJson } from "../seed-vault.ts";
import { openSm1Epoch, type Sm1Epoch, type Sm1EpochSecret, type Sm1States } from "../sm1-epoch.ts";
import { type EpochRow, epochSecret, readEpochs, storeReveal } from "../sm1-rows.ts";
import type { SourceSlot, TickSource } from "./source.ts";

export interface RetiredEpochsParts {
  readonly database: Database;
  readonly log: Log;
  readonly vault: SeedVault;
  /** Source of the rounds that these epochs need. Without it, none comes. */
  readonly beacon?: MarketBeacon | null;
  readonly writerEpoch: () => bigint;
  readonly now: () => Instant;
}

/**
 * Creates the source for a deployment that no longer simulates any instrument. It makes no ticks, but reveals the seeds of
 * epochs that were opened before, each after its end, so that everyone can still recompute their prices.
 */
export function createRetiredEpochs(parts: RetiredEpochsParts): TickSource {
  return new RetiredEpochs(parts);
}

class RetiredEpochs implements TickSource {
  readonly symbols: readonly string[] = [];
  readonly #parts: RetiredEpochsParts;
  readonly #rounds: RoundKeeper;
  /** Opened epochs that are not revealed, in order. */
  #waiting: EpochRow[] = [];
  /** The final states of the epoch that was revealed last. */
  #from: Sm1States = new Map();

  constructor(parts: RetiredEpochsParts) {
    this.#parts = parts;
    this.#rounds = createRoundKeeper({ ...parts, beacon: parts.beacon ?? null });
  }

  madeBy(): string {
    return SIMULATED;
  }

  async resume(): Promise<void> {
    const { database, vault } = this.#parts;
    const rows = (await readEpochs(database)).filter((row) => row.start_at !== null);
    this.#waiting = rows.filter((row) => row.seed === null);
    const secrets = this.#waiting.flatMap((row) => epochSecret(row, vault.read(row.epoch)) ?? []);
    await this.#rounds.resume(secrets.flatMap(roundedEpoch), 0n as Instant);
    const last = this.#waiting.length === 0 ? undefined : rows.find((row) => row.seed !== null);
    if (last !== undefined) await this.#readLastEnd(last);
  }

  next(): SourceSlot {
    return { ticks: [], seals: [] };
  }

  stored(): void {
    // There are no ticks to note.
  }

  nextDueAt(): null {
    return null;
  }

  async tend(): Promise<void> {
    const { log, vault, now } = this.#parts;
    const [row] = this.#waiting;
    if (row === undefined || (row.start_at ?? 0n) + SM1_EPOCH_MS > now()) return;
    const secret = epochSecret(row, vault.read(row.epoch));
    if (secret === null) log.error({ epoch: row.epoch.toString() }, "the seed of an opened epoch is lost");
    else {
      const epoch = this.#walk(row, secret, (round) => this.#rounds.decided(row.epoch, round));
      if (epoch === null) return;
      await this.#reveal(epoch);
    }
    this.#waiting = this.#waiting.slice(1);
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Computes an epoch; null while one of its rounds is undecided. */
  #walk(
    row: EpochRow,
    secret: Sm1EpochSecret,
    decided: (round: bigint) => Uint8Array | null | undefined,
  ): Sm1Epoch | null {
    const isRevealed = row.seed !== null;
    const start = isRevealed ? statesFromJson(row.starts_from) : (this.#parts.vault.readStart(row.epoch) ?? this.#from);
    const epoch = openSm1Epoch(secret, start);
    while (!epoch.isComplete()) {
      const round = epoch.nextRound();
      const signature = round === null ? null : decided(round);
      if (signature === undefined) return null;
      epoch.step(signature);
    }
    return epoch;
  }

  async #readLastEnd(last: EpochRow): Promise<void> {
    const secret = epochSecret(last, last.seed);
    const used = (await readRounds(this.#parts.database, [last.epoch])).get(last.epoch);
    if (secret === null) return;
    const epoch = this.#walk(last, secret, (round) => used?.get(round) ?? null);
    if (epoch !== null) this.#from = epoch.states();
  }

  async #reveal(epoch: Sm1Epoch): Promise<void> {
    const { database, log, vault, writerEpoch } = this.#parts;
    await storeReveal(database, writerEpoch(), epoch);
    vault.forget(epoch.epoch);
    this.#rounds.forget(epoch.epoch);
    this.#from = epoch.states();
    log.info(
      { epoch: epoch.epoch.toString() },
      "the seed of an epoch of the simulated market that was left is revealed",
    );
  }
}
