import { type Canonical, canonicalJson, type Instant, type Pause, toHex } from "@fairtick/domain";
import { epochRoundsEntry } from "@fairtick/transparency";
import type { Database, Queryable } from "../../platform/database.ts";
import { type Incident, incidentEntry } from "../../platform/incident-entry.ts";
import type { EpochMix } from "./epoch-mix.ts";
import { StaleWriterError } from "./market-rows.ts";
import { statesToJson } from "./seed-vault.ts";
import type { Sm1Epoch, Sm1EpochSecret } from "./sm1-epoch.ts";
import { type ParamsEntry, readParamsEntry } from "./sm1-params.ts";

export interface EpochRow {
  readonly epoch: bigint;
  readonly commit: Uint8Array;
  readonly params_hash: Uint8Array;
  /** The `params` entry's text. */
  readonly entry: string;
  readonly mix: Uint8Array | null;
  readonly start_at: Instant | null;
  readonly starts_from: unknown;
  readonly seed: Uint8Array | null;
}

/** Returns what is needed to compute an epoch; null if it isn't opened or its seed is lost. */
export function epochSecret(row: EpochRow, seed: Uint8Array | null): Sm1EpochSecret | null {
  if (seed === null || row.start_at === null || row.mix === null) return null;
  const { instruments, beacon } = readParamsEntry(row.entry);
  return { epoch: row.epoch, start: row.start_at, seed, mix: row.mix, instruments, beacon };
}

/** Reads the newest revealed epoch, if any, and all later ones, which are opened or committed. */
export async function readEpochs(database: Queryable): Promise<EpochRow[]> {
  return database.query<EpochRow>(
    `SELECT epoch, commit, params_hash, entry, mix, start_at, starts_from, seed
     FROM sm1_epochs JOIN sm1_params USING (params_hash)
     WHERE epoch >= coalesce((SELECT max(epoch) FROM sm1_epochs WHERE seed IS NOT NULL), 0)
     ORDER BY epoch`,
  );
}

/** Writes the `params` entry if it isn't written yet. */
export async function storeParams(database: Database, writerEpoch: bigint, params: ParamsEntry): Promise<void> {
  await asWriter(database, writerEpoch, async (transaction) => {
    const added = await transaction.query(
      "INSERT INTO sm1_params (params_hash, entry) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING params_hash",
      [params.hash, params.text],
    );
    if (added.length > 0) await insertOutbox(transaction, "params", params.text);
  });
}

/** Stores and publishes a commitment. The seed has to be synced to the disk before. */
export async function storeCommit(
  database: Database,
  writerEpoch: bigint,
  epoch: {
    readonly epoch: bigint;
    readonly commit: Uint8Array;
    readonly paramsHash: Uint8Array;
    /** Verifier key of the witness whose signature the mix will be made from. */
    readonly witness: string | null;
  },
): Promise<void> {
  await asWriter(database, writerEpoch, async (transaction) => {
    await transaction.query("INSERT INTO sm1_epochs (epoch, commit, params_hash) VALUES ($1, $2, $3)", [
      epoch.epoch,
      epoch.commit,
      epoch.paramsHash,
    ]);
    const entry = { commit: toHex(epoch.commit), e: epoch.epoch, params: toHex(epoch.paramsHash) };
    const { witness } = epoch;
    await insertEntry(transaction, "epoch.commit", witness === null ? entry : { ...entry, witness });
  });
}

/**
 * Opens an epoch. Returns false and writes nothing if its start has passed meanwhile or it is already open. `gap` is the time
 * without an epoch before this one, which is reported in the log first.
 */
export async function storeOpen(
  database: Database,
  writerEpoch: bigint,
  epoch: { readonly epoch: bigint; readonly start: Instant; readonly gap: Pause | null } & EpochMix,
): Promise<boolean> {
  return asWriter(database, writerEpoch, async (transaction) => {
    const opened = await transaction.query(
      `UPDATE sm1_epochs SET mix = $2, start_at = $3
       WHERE epoch = $1 AND start_at IS NULL AND $3 > extract(epoch FROM clock_timestamp()) * 1000 RETURNING epoch`,
      [epoch.epoch, epoch.mix, epoch.start],
    );
    if (opened.length === 0) return false;
    const { checkpoint, gap } = epoch;
    if (gap !== null) {
      const reason = "no epoch of the simulated market was open";
      await insertOutbox(transaction, "incident", incidentEntry({ ...gap, at: gap.to, part: "prices", reason }));
    }
    const entry = { e: epoch.epoch, mix: toHex(epoch.mix), start: epoch.start };
    await insertEntry(transaction, "epoch.open", checkpoint === null ? entry : { ...entry, checkpoint });
    return true;
  });
}

/** Reveals an epoch after its last tick is stored. Rounds of earlier epochs are removed, since nothing needs them any more. */
export async function storeReveal(database: Database, writerEpoch: bigint, epoch: Sm1Epoch): Promise<void> {
  const from = statesToJson(epoch.from);
  const digest = Object.fromEntries(epoch.digests());
  await asWriter(database, writerEpoch, async (transaction) => {
    const revealed = await transaction.query(
      "UPDATE sm1_epochs SET seed = $2, starts_from = $3, digests = $4 WHERE epoch = $1 AND seed IS NULL RETURNING epoch",
      [epoch.epoch, epoch.seed, JSON.stringify(from), JSON.stringify(digest)],
    );
    if (revealed.length === 0) return;
    await transaction.query("DELETE FROM sm2_rounds WHERE epoch < $1", [epoch.epoch]);
    const entry = { digest, e: epoch.epoch, from, seed: toHex(epoch.seed) };
    const rounds = roundsEntry(epoch);
    await insertEntry(transaction, "epoch.reveal", rounds === null ? entry : { ...entry, rounds });
  });
}

/** Returns the rounds that an epoch of SM2 was made from, in order; null for SM1. */
function roundsEntry(epoch: Sm1Epoch): { readonly from: bigint; readonly signatures: string } | null {
  const { beacon, start } = epoch;
  if (beacon === null) return null;
  const { from, signatures } = epochRoundsEntry({ beacon, start }, epoch.rounds());
  return { from, signatures: Buffer.from(signatures).toString("base64") };
}

/** Adds an entry to the outbox in the caller's transaction, with the fields `kind` and `v` that every entry has. */
export async function insertEntry(
  database: Queryable,
  kind: string,
  entry: Readonly<Record<string, Canonical>>,
): Promise<void> {
  await insertOutbox(database, kind, canonicalJson({ ...entry, kind, v: 1 }));
}

/** Adds incidents to the public log about times when sources stood still. */
export async function storeIncidents(database: Queryable, incidents: readonly Incident[]): Promise<void> {
  for (const incident of incidents) await insertOutbox(database, "incident", incidentEntry(incident));
}

async function insertOutbox(database: Queryable, kind: string, entry: string): Promise<void> {
  await database.query("INSERT INTO outbox (kind, entry) VALUES ($1, $2)", [kind, entry]);
}

/** Runs `work` in a transaction that holds off takeovers. Throws `StaleWriterError` if the writer was already taken over. */
export async function asWriter<Value>(
  database: Database,
  writerEpoch: bigint,
  work: (transaction: Queryable) => Promise<Value>,
): Promise<Value> {
  return database.transaction(async (transaction) => {
    const mine = await transaction.query(
      "SELECT symbol FROM instrument_clock WHERE writer_epoch = $1 LIMIT 1 FOR SHARE",
      [writerEpoch],
    );
    if (mine.length === 0) throw new StaleWriterError(`writer ${writerEpoch} was taken over`);
    return work(transaction);
  });
}
