import { SM1_EPOCH_MS, type Instant } from "@fairtick/domain";
import { SIMULATED } from "@fairtick/transparency";
import type { Database } from "../../../platform/database.ts";
import type { Log } from "../../../platform/log.ts";
import { type SeedVault, statesFromJson } from "../seed-vault.ts";
import { openSm1Epoch, type Sm1Epoch, type Sm1States } from "../sm1-epoch.ts";
import { readParamsEntry } from "../sm1-params.ts";
import { type EpochRow, readEpochs, storeReveal } from "../sm1-rows.ts";
import type { TickSource } from "./source.ts";

export interface RetiredEpochsParts {
  readonly database: Database;
  readonly log: Log;
  readonly vault: SeedVault;
  readonly writerEpoch: () => bigint;
  readonly now: () => Instant;
}

/**
 * Where no instrument is simulated any more: makes no ticks, and reveals the seeds of epochs that were opened before, each
 * when it is over, so that everybody can still make their prices again.
 */
export function createRetiredEpochs({ database, log, vault, writerEpoch, now }: RetiredEpochsParts): TickSource {
  let waiting: EpochRow[] = [];
  let from: Sm1States = new Map();

  /** Null: its seed is lost. */
  function walk(row: EpochRow, seed: Uint8Array | null): Sm1Epoch | null {
    if (seed === null || row.mix === null || row.start_at === null) return null;
    const { instruments } = readParamsEntry(row.entry);
    const secret = { epoch: row.epoch, start: row.start_at, seed, mix: row.mix, instruments };
    const start = row.seed === null ? (vault.readStart(row.epoch) ?? from) : statesFromJson(row.starts_from);
    const epoch = openSm1Epoch(secret, start);
    while (!epoch.isComplete()) epoch.step();
    return epoch;
  }

  return {
    symbols: [],
    madeBy: () => SIMULATED,
    async resume() {
      const rows = (await readEpochs(database)).filter((row) => row.start_at !== null);
      waiting = rows.filter((row) => row.seed === null);
      const last = waiting.length === 0 ? undefined : rows.find((row) => row.seed !== null);
      if (last !== undefined) from = walk(last, last.seed)?.states() ?? from;
    },
    next: () => ({ ticks: [], seals: [] }),
    stored: () => undefined,
    nextDueAt: () => null,
    async tend() {
      const [row] = waiting;
      if (row === undefined || (row.start_at ?? 0n) + SM1_EPOCH_MS > now()) return;
      const epoch = walk(row, vault.read(row.epoch));
      if (epoch === null) log.error({ epoch: row.epoch.toString() }, "the seed of an opened epoch is lost");
      else {
        await storeReveal(database, writerEpoch(), epoch);
        vault.forget(row.epoch);
        from = epoch.states();
        log.info(
          { epoch: row.epoch.toString() },
          "the seed of an epoch of the simulated market that was left is revealed",
        );
      }
      waiting = waiting.slice(1);
    },
    stop: () => Promise.resolve(),
  };
}
