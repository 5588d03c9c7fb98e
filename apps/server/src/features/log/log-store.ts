import type { Instant } from "@fairtick/domain";
import type { Database, Queryable } from "../../platform/database.ts";
import { type Incident, incidentEntry } from "../../platform/incident-entry.ts";

/** Thrown if another writer has taken over the log. Nothing was written. */
export class StaleLogWriterError extends Error {}

/** Thrown if tables, files and published checkpoints contradict each other. Nothing may be signed until a person has checked. */
export class LogHaltError extends Error {}

/** A writer's lease and the number of entries that it knows the log to have. */
export interface WriterLease {
  readonly epoch: bigint;
  readonly leaseMs: number;
  readonly size: number;
}

/** A row of the outbox that has no place in the log yet. */
export interface OutboxRow {
  readonly outbox_id: bigint;
  readonly kind: string;
  readonly entry: string;
}

/** What an entry can be looked up by. */
export interface EntryPlace {
  readonly about: string;
  readonly number: bigint;
}

export interface TakenLog {
  readonly epoch: bigint;
  readonly size: number;
  readonly decidedThrough: bigint;
}

const NOW = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/** Takes the log for a new writer. Returns its epoch and the log's size; null while another writer's lease runs. */
export async function takeLog(database: Queryable, leaseMs: number): Promise<TakenLog | null> {
  const [row] = await database.query<{ epoch: bigint; size: bigint; decided_through: bigint }>(
    `UPDATE log_writer SET epoch = epoch + 1, lease_until = ${NOW} + $1
     WHERE lease_until < ${NOW} RETURNING epoch, size, decided_through`,
    [leaseMs],
  );
  return row ? { epoch: row.epoch, size: Number(row.size), decidedThrough: row.decided_through } : null;
}

/** Stores an incident for a period in which no checkpoint was published. */
export async function storePause(database: Queryable, pause: Omit<Incident, "at">): Promise<void> {
  await database.query("INSERT INTO outbox (kind, entry) VALUES ('incident', $1)", [
    incidentEntry({ ...pause, at: pause.to }),
  ]);
}

export async function giveBackLog(database: Queryable, epoch: bigint): Promise<void> {
  await database.query("UPDATE log_writer SET lease_until = 0 WHERE epoch = $1", [epoch]);
}

export interface OutboxReading {
  readonly rows: readonly OutboxRow[];
  /** The database's time before the reading. Everything committed by then is in `rows`, unless the limit cut them off. */
  readonly at: Instant;
  /** Transactions below `xmin` were over; those from `xmax` on had not begun. */
  readonly xmin: bigint;
  readonly xmax: bigint;
}

/**
 * Reads outbox rows that have no place in the log. OFFSET 0 makes PostgreSQL look up each row by its id; a join would be
 * planned for both whole tables and read them from the beginning each second.
 */
export const READ_OUTBOX = `SELECT o.outbox_id, o.kind, o.entry FROM outbox o
  WHERE o.outbox_id > $1 AND NOT EXISTS (SELECT FROM log_entries l WHERE l.outbox_id = o.outbox_id OFFSET 0)
  ORDER BY o.outbox_id LIMIT $2`;

/** Reads at most `limit` entries without a place and with an id above `after`, in order of their ids. */
export async function readOutbox(database: Queryable, after: bigint, limit: number): Promise<OutboxReading> {
  const [mark] = await database.query<{ at: Instant; xmin: string; xmax: string }>(
    `SELECT ${NOW} AS at, pg_snapshot_xmin(pg_current_snapshot())::text AS xmin, pg_snapshot_xmax(pg_current_snapshot())::text AS xmax`,
    [],
    "log_mark",
  );
  const rows = await database.query<OutboxRow>(READ_OUTBOX, [after, limit], "log_read_outbox");
  if (mark === undefined) throw new Error("the database returned no time");
  return { rows, at: mark.at, xmin: BigInt(mark.xmin), xmax: BigInt(mark.xmax) };
}

/**
 * Gives entries the next places without a gap, in a single statement and therefore in one transaction. Returns the new size.
 * Throws StaleLogWriterError if another writer has taken over.
 */
export async function appendEntries(
  database: Queryable,
  writer: { readonly epoch: bigint; readonly leaseMs: number; readonly decidedThrough: bigint },
  rows: readonly OutboxRow[],
  places: readonly EntryPlace[],
): Promise<number> {
  const [row] = await database.query<{ size: bigint }>(
    `WITH writer AS (
       UPDATE log_writer SET size = size + $4, lease_until = ${NOW} + $2, decided_through = greatest(decided_through, $3)
       WHERE epoch = $1 RETURNING size
     ), added AS (
       INSERT INTO log_entries (log_index, outbox_id, kind, about, number)
       SELECT w.size - $4 + t.place - 1, t.outbox_id, t.kind, t.about, t.number
       FROM writer w, unnest($5::bigint[], $6::text[], $7::text[], $8::bigint[]) WITH ORDINALITY AS t(outbox_id, kind, about, number, place)
     )
     SELECT size FROM writer`,
    [
      writer.epoch,
      writer.leaseMs,
      writer.decidedThrough,
      rows.length,
      rows.map((each) => each.outbox_id),
      rows.map((each) => each.kind),
      places.map((each) => each.about),
      places.map((each) => each.number),
    ],
    "log_append",
  );
  if (row === undefined) throw new StaleLogWriterError(`writer ${writer.epoch} of the log was taken over`);
  return Number(row.size);
}

/** Reads the texts of entries `from` to `to` − 1. Throws if any of them is missing. */
export async function readEntryTexts(database: Queryable, from: number, to: number): Promise<string[]> {
  const rows = await database.query<{ log_index: bigint; entry: string }>(
    `SELECT l.log_index, o.entry FROM log_entries l JOIN outbox o USING (outbox_id)
     WHERE l.log_index >= $1 AND l.log_index < $2 ORDER BY l.log_index`,
    [from, to],
  );
  const whole = rows.length === to - from && rows.every((row, place) => Number(row.log_index) === from + place);
  if (!whole) throw new Error(`the tables do not hold the log's entries ${from} to ${to - 1}`);
  return rows.map((row) => row.entry);
}

export async function readCheckpointRoot(database: Queryable, size: number): Promise<Uint8Array | null> {
  const [row] = await database.query<{ root: Uint8Array }>("SELECT root FROM log_checkpoints WHERE size = $1", [size]);
  return row?.root ?? null;
}

/** Reads the newest size that has a root; 0 before the first one. */
export async function readCheckpointSize(database: Queryable): Promise<number> {
  const [row] = await database.query<{ size: bigint | null }>("SELECT max(size) AS size FROM log_checkpoints");
  return Number(row?.size ?? 0n);
}

/**
 * Binds a size to its root before the root is signed. Returns the root that the size is bound to. If that is a different root,
 * someone has tampered with the log. Throws as `holdLease` does.
 */
export async function bindRoot(database: Database, lease: WriterLease, root: Uint8Array): Promise<Uint8Array> {
  const { size } = lease;
  return database.transaction(async (transaction) => {
    await holdLease(transaction, lease);
    await transaction.query(
      `INSERT INTO log_checkpoints (size, root, made_at) VALUES ($1, $2, ${NOW}) ON CONFLICT (size) DO NOTHING`,
      [size, root],
      "log_bind_root",
    );
    return (await readCheckpointRoot(transaction, size)) ?? root;
  });
}

/**
 * Extends the lease. Throws StaleLogWriterError if another writer has taken over, and LogHaltError if the tables don't have
 * the entries that this writer placed. A database that was rolled back under a running writer still has its epoch, and its
 * outbox has nothing new for a long time, so only the size shows it.
 */
export async function holdLease(database: Queryable, { epoch, leaseMs, size }: WriterLease): Promise<void> {
  const [mine] = await database.query<{ size: bigint }>(
    `UPDATE log_writer SET lease_until = ${NOW} + $2 WHERE epoch = $1 RETURNING size`,
    [epoch, leaseMs],
    "log_lease",
  );
  if (mine === undefined) throw new StaleLogWriterError(`writer ${epoch} of the log was taken over`);
  if (Number(mine.size) !== size)
    throw new LogHaltError(`${size} entries were placed, the tables know of ${mine.size}: they were rolled back`);
}

/** A witness and what it cosigned last. */
export interface WitnessStanding {
  readonly name: string;
  /** The witness's verifier key. */
  readonly key: string;
  readonly size: number | null;
  /** When it cosigned last, in milliseconds. */
  readonly at: number | null;
  /** Whether it also signs without a time. Null or missing if it wasn't asked yet. */
  readonly timeless?: boolean | null;
  /** Whether it did not cosign the newest checkpoint that it was asked for. Missing if it wasn't asked yet. */
  readonly away?: boolean;
}

/** Returns the names of the witnesses that did not cosign the newest checkpoint. */
export function unsignedBy(witnesses: readonly WitnessStanding[]): readonly string[] {
  return witnesses.filter(({ away }) => away).map(({ name }) => name);
}

export interface Publication {
  readonly size: number;
  readonly note: string;
  readonly coversAt: Instant;
  readonly signedSize: number;
  readonly signedNote: string;
  readonly signedAt: Instant;
  readonly witnesses: readonly WitnessStanding[];
}

/** Reads the newest publication; null before the first checkpoint. */
export async function readPublication(database: Queryable): Promise<Publication | null> {
  const [row] = await database.query<{
    size: bigint;
    note: string;
    covers_at: Instant;
    signed_size: bigint;
    signed_note: string;
    signed_at: Instant;
    witnesses: WitnessStanding[];
  }>(
    "SELECT size, note, covers_at, signed_size, signed_note, signed_at, witnesses FROM log_published",
    [],
    "log_published",
  );
  return row
    ? {
        size: Number(row.size),
        note: row.note,
        coversAt: row.covers_at,
        signedSize: Number(row.signed_size),
        signedNote: row.signed_note,
        signedAt: row.signed_at,
        witnesses: row.witnesses,
      }
    : null;
}

/** Stores a publication. Throws StaleLogWriterError if another writer has taken over. */
export async function storePublication(database: Queryable, epoch: bigint, made: Publication): Promise<void> {
  const stored = await database.query(
    `INSERT INTO log_published (size, note, covers_at, signed_size, signed_note, signed_at, witnesses)
     SELECT $2, $3, $4, $5, $6, $7, $8 FROM log_writer WHERE epoch = $1
     ON CONFLICT (one) DO UPDATE SET size = excluded.size, note = excluded.note, covers_at = excluded.covers_at,
       signed_size = excluded.signed_size, signed_note = excluded.signed_note, signed_at = excluded.signed_at, witnesses = excluded.witnesses
     RETURNING size`,
    [
      epoch,
      made.size,
      made.note,
      made.coversAt,
      made.signedSize,
      made.signedNote,
      made.signedAt,
      JSON.stringify(made.witnesses),
    ],
    "log_publish",
  );
  if (stored.length === 0) throw new StaleLogWriterError(`writer ${epoch} of the log was taken over`);
}
