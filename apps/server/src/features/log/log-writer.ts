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
  type NoteSignature,
  openTileTree,
  parseCheckpoint,
  parseNote,
  readLogEdge,
  signNote,
} from "@fairtick/transparency";
import { crashPoint } from "../../platform/crash-point.ts";
import type { Database } from "../../platform/database.ts";
import type { WitnessDesk } from "./ask-witness.ts";
import { createDecidedMark, type DecidedMark } from "./decided-mark.ts";
import { entryPlace } from "./entry-place.ts";
import type { LogFiles } from "./log-files.ts";
import type { LogSigners } from "./log-keys.ts";
import { type MixNotes, openMixNotes, type SignedCheckpoint } from "./mix-notes.ts";
import {
  appendEntries,
  bindRoot,
  holdLease,
  LogHaltError,
  type OutboxRow,
  type Publication,
  readCheckpointRoot,
  readCheckpointSize,
  readEntryTexts,
  readOutbox,
  readPublication,
  storePublication,
  type TakenLog,
  type WriterLease,
} from "./log-store.ts";
import { createRotationsFile, type RotationsFile } from "./rotations-file.ts";

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
  const { database, witnesses } = parts;
  const edge = await resumeEdge(parts);
  const mixes = await openMixNotes(database, witnesses, edge.tree.size);
  return new OnlyLogWriter(parts, { edge, mixes, published: await readPublication(database) });
}

/** What a writer continues from. */
interface Resumed {
  readonly edge: LogEdge;
  readonly mixes: MixNotes;
  readonly published: Publication | null;
}

class OnlyLogWriter implements LogWriter {
  readonly #parts: LogWriterParts;
  readonly #mark: DecidedMark;
  readonly #rotations: RotationsFile;
  readonly #mixes: MixNotes;
  #edge: LogEdge;
  #published: Publication | null;

  constructor(parts: LogWriterParts, { edge, mixes, published }: Resumed) {
    this.#parts = parts;
    this.#mark = createDecidedMark(parts.taken.decidedThrough);
    this.#rotations = createRotationsFile(parts.database, parts.files);
    this.#mixes = mixes;
    this.#edge = edge;
    this.#published = published;
  }

  async pass(): Promise<Publication | null> {
    // A rolled-back outbox may hold rows that this writer takes for new, so look before placing any.
    await holdLease(this.#parts.database, this.#lease());
    for (let round = 0; round < COMMITS_MAX; round += 1) {
      const coversAt = this.#isAtCommit() ? null : await this.#placeNew();
      const wasAtCommit = this.#isAtCommit();
      if (this.#edge.tree.size > 0) this.#published = await this.#publish(coversAt);
      if (!wasAtCommit || this.#isAtCommit()) break;
    }
    return this.#published;
  }

  /** Whether the log ends with a commit of the simulated market that its witness has not signed. */
  #isAtCommit(): boolean {
    return this.#mixes.isOpen(this.#edge.tree.size);
  }

  /**
   * Gives new entries their places. Returns the time up to which every committed entry has one; null if more are waiting. It
   * also stops behind a commit of the simulated market, since the witness has to sign the checkpoint that ends with it.
   */
  async #placeNew(): Promise<Instant | null> {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const reading = await readOutbox(this.#parts.database, this.#mark.through(), ROWS_AT_ONCE);
      const commit = reading.rows.findIndex((row) => row.kind === "epoch.commit");
      const rows = commit < 0 ? reading.rows : reading.rows.slice(0, commit + 1);
      const last = rows.at(-1);
      if (last !== undefined) await this.#place(rows, last);
      this.#mark.look(last?.outbox_id ?? null, reading);
      if (commit >= 0) return null;
      if (rows.length < ROWS_AT_ONCE) return reading.at;
    }
    return null;
  }

  /** Gives these rows the next places, in the tables and then in the files. */
  async #place(rows: readonly OutboxRow[], last: OutboxRow): Promise<void> {
    const { database, files, taken, leaseMs } = this.#parts;
    const places = rows.map((row) => entryPlace(row.kind, row.entry));
    const writer = { epoch: taken.epoch, leaseMs, decidedThrough: this.#mark.through() };
    const size = await appendEntries(database, writer, rows, places);
    this.#mixes.placed(size, last.kind, last.entry);
    crashPoint("log.placed");
    const known = this.#edge.tree.size;
    if (size !== known + rows.length) throw new Error(`the log has ${size} entries, this writer knew of ${known}`);
    const texts = rows.map((row) => row.entry);
    this.#edge = await growEdge(files, this.#edge, texts);
    crashPoint("log.tiled");
    if (rows.some((row) => row.kind === "key.rotate")) this.#rotations.entryPlaced();
  }

  #lease(): WriterLease {
    const { taken, leaseMs } = this.#parts;
    return { epoch: taken.epoch, leaseMs, size: this.#edge.tree.size };
  }

  async #publish(coversAt: Instant | null): Promise<Publication> {
    const { database, files, taken, witnesses, witnessesRequired } = this.#parts;
    const signed = await this.#sign();
    const { text, signatures, size } = signed;
    const signedNote = formatNote(signed);
    const cosignatures = await this.#askWitnesses(signed, signedNote);
    const before = this.#published ?? { size: 0, note: "", coversAt: 0n as Instant };
    // Show only what enough witnesses have cosigned. Then a log that is forked for one reader can show them nothing new.
    const isCosigned = cosignatures.length >= witnessesRequired;
    const note = isCosigned ? formatNote({ text, signatures: [...signatures, ...cosignatures] }) : before.note;
    if (isCosigned) {
      // Witnesses may have taken seconds. A writer that was taken over meanwhile must not restore an older checkpoint.
      await holdLease(database, this.#lease());
      await files.show({ path: "checkpoint", bytes: utf8(note) });
      await this.#rotations.update(note, size);
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
    await storePublication(database, taken.epoch, made);
    return made;
  }

  /** Signs the root of all entries. It is bound in the tables first, so that no second root is ever signed for the same size. */
  async #sign(): Promise<SignedCheckpoint> {
    const { database, signers } = this.#parts;
    const { size } = this.#edge.tree;
    const root = edgeRoot(nodeHashes, this.#edge.tree);
    const bound = await bindRoot(database, this.#lease(), root);
    if (!equalBytes(bound, root)) throw new LogHaltError(`a second root for ${size} entries was asked for`);
    crashPoint("log.bound");
    const text = formatCheckpoint({ origin: signers.origin, size, root });
    const keys = await signers.active();
    return { text, signatures: keys.map((key) => signNote(text, key)), size, root };
  }

  /** Asks all witnesses at once to cosign. Keeps what an epoch's mix is made from, and returns the cosignatures that came. */
  async #askWitnesses(signed: SignedCheckpoint, note: string): Promise<NoteSignature[]> {
    const { size, text } = signed;
    await this.#mixes.signed(signed);
    const tree = openTileTree(nodeHashes, this.#parts.files, size);
    const proofFrom = (from: number) => tree.consistencyProof(from);
    const asked = await Promise.all(this.#parts.witnesses.map((each) => each.ask({ size, text, note, proofFrom })));
    await this.#mixes.answered(signed, asked);
    return asked.flatMap((each) => each?.cosignature ?? []);
  }
}

type EdgeParts = Pick<LogWriterParts, "database" | "files" | "taken">;

/** Rebuilds the tree's edge at the newest bound root, from the files or else the tables, and extends it to the last entry. */
async function resumeEdge({ database, files, taken }: EdgeParts): Promise<LogEdge> {
  const bound = await readCheckpointSize(database);
  await compareWithPublished(database, files, bound);
  const wanted = await readCheckpointRoot(database, bound);
  let edge = await edgeOfFiles(files, bound);
  const isSame = (at: LogEdge) => wanted === null || equalBytes(edgeRoot(nodeHashes, at.tree), wanted);
  if (edge === null || !isSame(edge)) {
    edge = await growTo(database, files, EMPTY_LOG, bound);
    if (!isSame(edge)) throw new LogHaltError(`the tables' first ${bound} entries are not those that were signed`);
  }
  return growTo(database, files, edge, taken.size);
}

async function edgeOfFiles(files: LogFiles, size: number): Promise<LogEdge | null> {
  try {
    return await readLogEdge(files, size);
  } catch (error) {
    if (error instanceof LogFileError) return null;
    throw error;
  }
}

/** Compares with what was published. Tables with fewer entries or another root were rolled back or tampered with. */
async function compareWithPublished(database: Database, files: LogFiles, bound: number): Promise<void> {
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

async function growTo(database: Database, files: LogFiles, from: LogEdge, size: number): Promise<LogEdge> {
  let edge = from;
  while (edge.tree.size < size) {
    const to = Math.min(size, edge.tree.size + REBUILD_AT_ONCE);
    edge = await growEdge(files, edge, await readEntryTexts(database, edge.tree.size, to));
  }
  return edge;
}

async function growEdge(files: LogFiles, edge: LogEdge, entries: readonly string[]): Promise<LogEdge> {
  const grown = growLog(nodeHashes, edge, entries.map(utf8));
  await files.store(grown.files);
  await files.clear(grown.files);
  return grown.log;
}
