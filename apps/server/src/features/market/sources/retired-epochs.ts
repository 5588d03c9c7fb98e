import { SM1_EPOCH_MS, type Instant } from "@fairtick/domain";
import { SIMULATED } from "@fairtick/transparency";
import type { Database } from "../../../platform/database.ts";
import type { Log } from "../../../platform/log.ts";
import { createRoundKeeper, type MarketBeacon, roundedEpoch } from "../round-keeper.ts";
import { readRounds } from "../round-rows.ts";
import { type SeedVault, statesFromJson } from "../seed-vault.ts";
import { openSm1Epoch, type Sm1Epoch, type Sm1EpochSecret, type Sm1States } from "../sm1-epoch.ts";
import { readParamsEntry } from "../sm1-params.ts";
import { type EpochRow, readEpochs, storeReveal } from "../sm1-rows.ts";
import type { TickSource } from "./source.ts";

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
  const { database, log, vault, writerEpoch, now, beacon = null } = parts;
  const rounds = createRoundKeeper({ ...parts, beacon });
  let waiting: EpochRow[] = [];
  let from: Sm1States = new Map();

  /** Returns what is needed to compute an epoch; null if its seed is lost. */
  function secretOf(row: EpochRow, seed: Uint8Array | null): Sm1EpochSecret | null {
    if (seed === null || row.mix === null || row.start_at === null) return null;
    const { instruments, beacon: chain } = readParamsEntry(row.entry);
    return { epoch: row.epoch, start: row.start_at, seed, mix: row.mix, instruments, beacon: chain };
  }

  /** Computes an epoch; null while one of its rounds is undecided. */
  function walk(
    row: EpochRow,
    secret: Sm1EpochSecret,
    decided: (round: bigint) => Uint8Array | null | undefined,
  ): Sm1Epoch | null {
    const start = row.seed === null ? (vault.readStart(row.epoch) ?? from) : statesFromJson(row.starts_from);
    const epoch = openSm1Epoch(secret, start);
    while (!epoch.isComplete()) {
      const round = epoch.nextRound();
      const signature = round === null ? null : decided(round);
      if (signature === undefined) return null;
      epoch.step(signature);
    }
    return epoch;
  }

  async function readLastEnd(last: EpochRow): Promise<void> {
    const secret = secretOf(last, last.seed);
    const used = (await readRounds(database, [last.epoch])).get(last.epoch);
    if (secret !== null) from = walk(last, secret, (round) => used?.get(round) ?? null)?.states() ?? from;
  }

  async function reveal(epoch: Sm1Epoch): Promise<void> {
    await storeReveal(database, writerEpoch(), epoch);
    vault.forget(epoch.epoch);
    rounds.forget(epoch.epoch);
    from = epoch.states();
    log.info(
      { epoch: epoch.epoch.toString() },
      "the seed of an epoch of the simulated market that was left is revealed",
    );
  }

  return {
    symbols: [],
    madeBy: () => SIMULATED,
    async resume() {
      const rows = (await readEpochs(database)).filter((row) => row.start_at !== null);
      waiting = rows.filter((row) => row.seed === null);
      const secrets = waiting.flatMap((row) => secretOf(row, vault.read(row.epoch)) ?? []);
      await rounds.resume(secrets.flatMap(roundedEpoch), 0n as Instant);
      const last = waiting.length === 0 ? undefined : rows.find((row) => row.seed !== null);
      if (last !== undefined) await readLastEnd(last);
    },
    next: () => ({ ticks: [], seals: [] }),
    stored: () => undefined,
    nextDueAt: () => null,
    async tend() {
      const [row] = waiting;
      if (row === undefined || (row.start_at ?? 0n) + SM1_EPOCH_MS > now()) return;
      const secret = secretOf(row, vault.read(row.epoch));
      if (secret === null) log.error({ epoch: row.epoch.toString() }, "the seed of an opened epoch is lost");
      else {
        const epoch = walk(row, secret, (round) => rounds.decided(row.epoch, round));
        if (epoch === null) return;
        await reveal(epoch);
      }
      waiting = waiting.slice(1);
    },
    stop: () => rounds.stop(),
  };
}
