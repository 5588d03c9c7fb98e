import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import {
  accept,
  firstIdAt,
  formatPrefixedId,
  idTime,
  type IdSource,
  type Instant,
  type MemberId,
  parsePrefixedId,
  refuse,
  type Verdict,
} from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import type { Log } from "../../platform/log.ts";
import { decryptFile, encryptFile, openFileKey } from "./encrypted-file.ts";
import { type MadeFile, makeFile, type Sent } from "./make-file.ts";
import { openS3 } from "./s3-files.ts";
import { openScanner } from "./scan-upload.ts";
import { FilesOutOfReach, openFolder, type SealedFiles } from "./sealed-files.ts";

export type FilePurpose = "receipt" | "identity" | "support";

export interface StoredFile {
  readonly fileId: bigint;
  readonly memberId: bigint;
  readonly purpose: FilePurpose;
  readonly bytes: number;
  readonly media: string;
  /** Public id of what the file belongs to, `dep_…`; null until something claims it. */
  readonly claimedBy: string | null;
}

/** Stored files in a folder or a bucket, with their key. Opened once when the server starts. */
export interface FileStore {
  /**
   * Stores an upload: re-encodes a picture, or takes a document as it is (for the chat only), and encrypts it. Refuses
   * FILE_TYPE, FILE_BROKEN, FILE_INFECTED, FILE_TOO_LARGE[max] for a document, RATE_LIMITED[retryAt] after a hundred in a
   * day, and NOT_NOW while the bucket takes nothing or the scanner gives no verdict. Leaves the uploaded file in place.
   */
  store(memberId: MemberId, purpose: FilePurpose, upload: Sent, now: Instant): Promise<Verdict<{ fileId: string }>>;
  /**
   * Stores a picture that an operator of support is about to send to a member. Refuses as `store` does, with
   * RATE_LIMITED[retryAt] after three hundred in a day by one operator, and NOT_FOUND if the member has no chat yet.
   */
  storeSent(sender: Sender, memberId: MemberId, upload: Sent, now: Instant): Promise<Verdict<{ fileId: string }>>;
  /** Streams the decrypted bytes. */
  open(file: StoredFile): Readable;
  /** Removes files that nothing claimed for two days and whatever a crash left behind. Returns how many stored files it removed. */
  sweep(now: Instant): Promise<number>;
}

/** The session of the operator who sends a picture. */
export interface Sender {
  readonly sessionId: bigint;
  readonly operatorId: bigint;
}

const PREFIX = "fil";
const PER_DAY = 100;
const SENT_PER_DAY = 300;
const DAY_MS = 86_400_000n;
const UNCLAIMED_MS_MAX = 2n * DAY_MS;
/** Older files in the arriving folder are leftovers: an upload takes half an hour at most. */
const LEFT_BEHIND_MS = 2 * 3_600_000;

export function formatFileId(fileId: bigint): string {
  return formatPrefixedId(PREFIX, fileId);
}

/** Parses a file's id. Null if the text isn't one. */
export function parseFileId(text: string): bigint | null {
  return parsePrefixedId(PREFIX, text);
}

function folderBelow(dataDir: string): string {
  return join(dataDir, "files");
}

/** Opens the key that all stored files share, or creates it. */
export async function openHouseFileKey(dataDir: string): Promise<Buffer> {
  await mkdir(folderBelow(dataDir), { recursive: true, mode: 0o700 });
  return openFileKey(join(folderBelow(dataDir), "key"));
}

/**
 * Opens the file store: a folder in DATA_DIR with its key beside it (docs/operations.md says to back up both), or the bucket
 * of S3_URL. With a bucket, the folder holds only the key and arriving uploads. Throws a `ConfigError` if the bucket can't be
 * used.
 */
export async function openFileStore(
  { config, databases, log }: Pick<Context, "config" | "databases" | "log">,
  ids: IdSource,
): Promise<FileStore> {
  const folder = folderBelow(config.dataDir);
  const arriving = join(folder, "arriving");
  await mkdir(arriving, { recursive: true, mode: 0o700 });
  const key = await openHouseFileKey(config.dataDir);
  const { address, exception } = config.scanner;
  const scan = address === null ? null : openScanner(address, log);
  if (address === null && exception !== null)
    log.warn({ exception }, "uploads are not scanned for viruses; CLAMAV_EXCEPTION says why");
  const sealedFiles = config.s3 === null ? openFolder(folder) : await openS3(config.s3);

  const make = createFileMaker({ ids, key, scan, arriving, sealedFiles, log });

  return {
    async store(memberId, purpose, upload, now) {
      const busy = await refuseTooMany(
        databases.sessions,
        "member_id = $1 AND sent_by IS NULL",
        memberId,
        PER_DAY,
        now,
      );
      if (!busy.ok) return busy;
      return make(upload, purpose === "support", (fileId, { bytes, width, height, digest, media, name }) =>
        databases.sessions.query(
          `INSERT INTO files (file_id, member_id, purpose, bytes, width, height, digest, made_at, media, name)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
          [fileId, memberId, purpose, bytes, width, height, digest, now, media, name],
        ),
      );
    },
    async storeSent({ sessionId, operatorId }, memberId, upload, now) {
      const known = await databases.console.query("SELECT 1 FROM support_threads WHERE member_id = $1", [memberId]);
      if (known.length === 0) return refuse("NOT_FOUND");
      const busy = await refuseTooMany(databases.console, "sent_by = $1", operatorId, SENT_PER_DAY, now);
      if (!busy.ok) return busy;
      return make(upload, true, (fileId, { bytes, width, height, digest, media, name }) =>
        databases.console.query("SELECT store_sent_file($1, $2, $3, $4, $5, $6, $7, $8, $9)", [
          sessionId,
          fileId,
          memberId,
          bytes,
          width,
          height,
          digest,
          media,
          name,
        ]),
      );
    },
    open: ({ fileId }) =>
      Readable.from(decryptFile(key, fileId, sealedFiles.read(formatFileId(fileId))), { objectMode: false }),
    async sweep(now) {
      const unclaimed = await removeUnclaimed(databases.jobs, sealedFiles, now);
      await removeLeftBehind(arriving);
      return unclaimed + (await removeStrays(databases.jobs, sealedFiles, now));
    },
  };
}

interface MakerParts {
  readonly ids: IdSource;
  readonly key: Buffer;
  readonly scan: ReturnType<typeof openScanner> | null;
  /** The folder for uploads in progress. */
  readonly arriving: string;
  readonly sealedFiles: SealedFiles;
  readonly log: Log;
}

/** Returns a function that re-encodes an upload, encrypts it and stores it. `keep` writes its row. */
function createFileMaker({ ids, key, scan, arriving, sealedFiles, log }: MakerParts) {
  return async function make(
    upload: Sent,
    takesDocuments: boolean,
    keep: (fileId: bigint, made: MadeFile) => Promise<unknown>,
  ): Promise<Verdict<{ fileId: string }>> {
    const fileId = ids.next();
    const [clear, sealed] = [join(arriving, `${fileId}.jpg`), join(arriving, String(fileId))];
    try {
      const made = await makeFile(upload, clear, takesDocuments);
      if (!made.ok) return made;
      // The scan comes second, so that files of a wrong type don't take the scanner's time.
      const scanned = await scan?.(upload.path);
      if (scanned?.ok === false) return scanned;
      await encryptFile(key, fileId, made.value.path, sealed);
      await sealedFiles.keep(formatFileId(fileId), sealed);
      await keep(fileId, made.value);
      return accept({ fileId: formatFileId(fileId) });
    } catch (fault) {
      if (!(fault instanceof FilesOutOfReach)) throw fault;
      log.error({ err: fault }, "a file could not be stored; its sender is asked to try again");
      return refuse("NOT_NOW");
    } finally {
      await Promise.all([rm(clear, { force: true }), rm(sealed, { force: true })]);
    }
  };
}

/** Removes files that nothing claimed for two days. Returns how many. */
async function removeUnclaimed(db: Queryable, sealedFiles: SealedFiles, now: Instant): Promise<number> {
  const gone = await db.query<{ file_id: bigint }>(
    "DELETE FROM files WHERE claimed_by IS NULL AND made_at < $1 RETURNING file_id",
    [now - UNCLAIMED_MS_MAX],
  );
  for (const { file_id: fileId } of gone) await sealedFiles.remove(formatFileId(fileId));
  return gone.length;
}

/** Removes leftovers of a crash from the arriving folder. */
async function removeLeftBehind(arriving: string): Promise<void> {
  for (const name of await readdir(arriving)) {
    const path = join(arriving, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > LEFT_BEHIND_MS) await rm(path, { force: true });
  }
}

/**
 * Removes stored files without a row: the process died before it wrote the row, or the bucket didn't answer when the file was
 * to be removed. Runs each hour and checks the files of the last days. Returns how many it removed.
 */
async function removeStrays(db: Queryable, sealedFiles: SealedFiles, now: Instant): Promise<number> {
  const oldest = firstIdAt((now - UNCLAIMED_MS_MAX - 2n * DAY_MS) as Instant);
  const stored: bigint[] = [];
  for await (const name of sealedFiles.names(formatFileId(oldest))) {
    const fileId = parseFileId(name);
    if (fileId !== null && fileId >= oldest && now - idTime(fileId) > LEFT_BEHIND_MS) stored.push(fileId);
  }
  const strays = await db.query<{ file_id: bigint }>(
    "SELECT id AS file_id FROM unnest($1::bigint[]) AS id WHERE NOT EXISTS (SELECT FROM files WHERE file_id = id)",
    [stored],
  );
  for (const { file_id: fileId } of strays) await sealedFiles.remove(formatFileId(fileId));
  return strays.length;
}

async function refuseTooMany(
  db: Queryable,
  whose: string,
  who: bigint,
  most: number,
  now: Instant,
): Promise<Verdict<null>> {
  const [recent] = await db.query<{ count: bigint; oldest: bigint | null }>(
    `SELECT count(*), min(made_at) AS oldest FROM files WHERE ${whose} AND made_at > $2`,
    [who, now - DAY_MS],
  );
  if (recent === undefined || recent.count < most) return accept(null);
  return refuse("RATE_LIMITED", { retryAt: Number((recent.oldest ?? now) + DAY_MS) });
}

interface FileRow {
  readonly file_id: bigint;
  readonly member_id: bigint;
  readonly purpose: FilePurpose;
  readonly bytes: number;
  readonly media: string;
  readonly claimed_by: string | null;
}

/** Finds any member's file by its public id; null if there is none. The caller has to check who may see it. */
export async function findFile(db: Queryable, fileId: string): Promise<StoredFile | null> {
  const id = parseFileId(fileId);
  if (id === null) return null;
  const [row] = await db.query<FileRow>(
    "SELECT file_id, member_id, purpose, bytes, media, claimed_by FROM files WHERE file_id = $1",
    [id],
  );
  if (row === undefined) return null;
  const { purpose, bytes, media } = row;
  return { fileId: row.file_id, memberId: row.member_id, purpose, bytes, media, claimedBy: row.claimed_by };
}

/**
 * Claims a member's file in the transaction of whatever it belongs to: `subject` is that thing's public id, `dep_…`. Returns
 * false if the file isn't the member's, was uploaded for another purpose, or already belongs to something else.
 */
export async function claimFile(
  db: Queryable,
  memberId: MemberId,
  fileId: string,
  purpose: FilePurpose,
  subject: string,
): Promise<boolean> {
  const id = parseFileId(fileId);
  if (id === null) return false;
  const [row] = await db.query<{ claimed: boolean }>("SELECT claim_file($1, $2, $3, $4) AS claimed", [
    id,
    memberId,
    purpose,
    subject,
  ]);
  return row?.claimed ?? false;
}
