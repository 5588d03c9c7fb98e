import { equalBytes, type Instant, utf8 } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import {
  EMPTY_LOG,
  edgeRoot,
  formatCheckpoint,
  formatNote,
  growLog,
  type LogEdge,
  LogFileError,
  openTileTree,
  parseCheckpoint,
  parseNote,
  readLogEdge,
  signNote,
} from "@fairtick/transparency";
import { crashPoint } from "../../platform/crash-point.ts";
import type { Database } from "../../platform/database.ts";
import type { WitnessDesk } from "./ask-witness.ts";
import { createDecidedMark } from "./decided-mark.ts";
import { entryPlace } from "./entry-place.ts";
import type { LogFiles } from "./log-files.ts";
import type { LogSigners } from "./log-keys.ts";
import { openMixNotes } from "./mix-notes.ts";
import {
  appendEntries,
  bindRoot,
  holdLease,
  type Publication,
  readCheckpointRoot,
  readCheckpointSize,
  readEntryTexts,
  readOutbox,
  readPublication,
  storePublication,
  type TakenLog,
} from "./log-store.ts";
import { createRotationsFile } from "./rotations-file.ts";

/** Thrown if tables, files and published checkpoints contradict each other. Nothing may be signed until a person has checked. */
export class LogHaltError extends Error {}

export interface LogWriterParts {
  readonly database: Database;
  readonly files: LogFiles;
  readonly signers: LogSigners;
  readonly witnesses: readonly WitnessDesk[];
  /** How many witnesses must cosign a checkpoint before it is shown. */
  readonly witnessesRequired: number;
  readonly taken: TakenLog;
  readonly leaseMs: number;
}

export interface LogWriter {
  /** Adds new entries and publishes a checkpoint. Returns the newest publication; null before the first entry. */
  pass(): Promise<Publication | null>;
}

const ROWS_AT_ONCE = 500;
/** After this many batches of rows a pass signs, even if more rows are waiting. */
const ROUNDS_MAX = 20;
/** The most checkpoints in one pass that end with a commit of the simulated market. Its first start makes five. */
const COMMITS_MAX = 8;
const REBUILD_AT_ONCE = 1_024;

/**
 * Opens the log's only writer, which continues from the tables and files. Throws LogHaltError if the tree computed from the
 * tables is not the one that was signed.
 */
export async function openLogWriter(parts: LogWriterParts): Promise<LogWriter> {
  const { database, files, signers, witnesses, taken, leaseMs } = parts;
  const { epoch } = taken;
  const mark = createDecidedMark(taken.decidedThrough);
  const rotations = createRotationsFile(database, files);
  let log = await resume();
  const mixes = await openMixNotes(database, witnesses, log.tree.size);
  let published = await readPublication(database);

  /** Rebuilds the tree's edge at the newest bound root, from the files or else the tables, and extends it to the last entry. */
  async function resume(): Promise<LogEdge> {
    const bound = await readCheckpointSize(database);
    await compareWithPublished(bound);
    const wanted = await readCheckpointRoot(database, bound);
    let edge = await edgeOfFiles(bound);
    const isSame = (at: LogEdge) => wanted === null || equalBytes(edgeRoot(nodeHashes, at.tree), wanted);
    if (edge === null || !isSame(edge)) {
      edge = await growTo(EMPTY_LOG, bound);
      if (!isSame(edge)) throw new LogHaltError(`the tables' first ${bound} entries are not those that were signed`);
    }
    return growTo(edge, taken.size);
  }

  async function edgeOfFiles(size: number): Promise<LogEdge | null> {
    try {
      return await readLogEdge(files, size);
    } catch (error) {
      if (error instanceof LogFileError) return null;
      throw error;
    }
  }

  /** Compares with what was published. Tables with fewer entries or another root were rolled back or tampered with. */
  async function compareWithPublished(bound: number): Promise<void> {
    const bytes = await files.read("checkpoint");
    const note = bytes === null ? null : parseNote(new TextDecoder().decode(bytes));
    const out = note === null ? null : parseCheckpoint(note.text);
    if (out === null) return;
    if (out.size > bound) {
      throw new LogHaltError(`${out.size} entries were published, the tables know of ${bound}: they were rolled back`);
    }
    const root = await readCheckpointRoot(database, out.size);
    if (root === null || !equalBytes(root, out.root)) {
      throw new LogHaltError(`the published root of ${out.size} entries is not the one in the tables`);
    }
  }

  async function growTo(from: LogEdge, size: number): Promise<LogEdge> {
    let edge = from;
    while (edge.tree.size < size) {
      const to = Math.min(size, edge.tree.size + REBUILD_AT_ONCE);
      edge = await grow(edge, await readEntryTexts(database, edge.tree.size, to));
    }
    return edge;
  }

  async function grow(edge: LogEdge, entries: readonly string[]): Promise<LogEdge> {
    const grown = growLog(nodeHashes, edge, entries.map(utf8));
    await files.store(grown.files);
    await files.clear(grown.files);
    return grown.log;
  }

  /**
   * Gives new entries their places. Returns the time up to which every committed entry has one; null if more are waiting. It
   * also stops behind a commit of the simulated market, since the witness has to sign the checkpoint that ends with it.
   */
  async function placeNew(): Promise<Instant | null> {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const reading = await readOutbox(database, mark.through(), ROWS_AT_ONCE);
      const commit = reading.rows.findIndex((row) => row.kind === "epoch.commit");
      const rows = commit < 0 ? reading.rows : reading.rows.slice(0, commit + 1);
      const last = rows.at(-1);
      if (last !== undefined) {
        const places = rows.map((row) => entryPlace(row.kind, row.entry));
        const writer = { epoch, leaseMs, decidedThrough: mark.through() };
        const size = await appendEntries(database, writer, rows, places);
        mixes.placed(size, last.kind, last.entry);
        crashPoint("log.placed");
        if (size !== log.tree.size + rows.length) {
          throw new Error(`the log has ${size} entries, this writer knew of ${log.tree.size}`);
        }
        log = await grow(
          log,
          rows.map((row) => row.entry),
        );
        crashPoint("log.tiled");
        if (rows.some((row) => row.kind === "key.rotate")) rotations.entryPlaced();
      }
      mark.look(last?.outbox_id ?? null, reading);
      if (commit >= 0) return null;
      if (rows.length < ROWS_AT_ONCE) return reading.at;
    }
    return null;
  }

  async function publish(coversAt: Instant | null): Promise<Publication> {
    const { size } = log.tree;
    const root = edgeRoot(nodeHashes, log.tree);
    const bound = await bindRoot(database, epoch, leaseMs, size, root);
    if (!equalBytes(bound, root)) throw new LogHaltError(`a second root for ${size} entries was asked for`);
    crashPoint("log.bound");
    const text = formatCheckpoint({ origin: signers.origin, size, root });
    const keys = await signers.active();
    const signatures = keys.map((key) => signNote(text, key));
    const signed = { text, signatures, size, root };
    const signedNote = formatNote(signed);
    await mixes.signed(signed);
    const tree = openTileTree(nodeHashes, files, size);
    const proofFrom = (from: number) => tree.consistencyProof(from);
    const asked = await Promise.all(witnesses.map((each) => each.ask({ size, text, note: signedNote, proofFrom })));
    const cosignatures = asked.flatMap((each) => each?.cosignature ?? []);
    await mixes.answered(signed, asked);
    const before = published ?? { size: 0, note: "", coversAt: 0n as Instant };
    // Show only what enough witnesses have cosigned. Then a log that is forked for one reader can show them nothing new.
    const isCosigned = cosignatures.length >= parts.witnessesRequired;
    const note = isCosigned ? formatNote({ text, signatures: [...signatures, ...cosignatures] }) : before.note;
    if (isCosigned) {
      // Witnesses may have taken seconds. A writer that was taken over meanwhile must not restore an older checkpoint.
      await holdLease(database, epoch, leaseMs);
      await files.show({ path: "checkpoint", bytes: utf8(note) });
      await rotations.update(note, size);
    }
    crashPoint("log.signed");
    const made: Publication = {
      size: isCosigned ? size : before.size,
      note,
      coversAt: isCosigned && coversAt !== null ? coversAt : before.coversAt,
      signedSize: size,
      signedNote,
      signedAt: coversAt ?? before.coversAt,
      witnesses: witnesses.map((each) => each.standing()),
    };
    await storePublication(database, epoch, made);
    return made;
  }

  return {
    async pass() {
      for (let round = 0; round < COMMITS_MAX; round += 1) {
        const coversAt = mixes.isOpen(log.tree.size) ? null : await placeNew();
        const isAtCommit = mixes.isOpen(log.tree.size);
        if (log.tree.size > 0) published = await publish(coversAt);
        if (!isAtCommit || mixes.isOpen(log.tree.size)) break;
      }
      return published;
    },
  };
}
