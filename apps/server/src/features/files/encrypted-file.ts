import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { makeIfMissing } from "../../platform/key-file.ts";

/** `FTF1`, 16 random bytes, then pieces of 64 KiB, each with its tag. */
const MAGIC = Buffer.from("FTF1");
const SALT_BYTES = 16;
const HEAD_BYTES = MAGIC.length + SALT_BYTES;
const PIECE_BYTES = 64 * 1024;
const TAG_BYTES = 16;

/** Reads the folder's key of 32 bytes, or makes it; a second process that makes one at the same time takes the first's. */
export async function openFileKey(path: string): Promise<Buffer> {
  makeIfMissing(path, () => randomBytes(32));
  const key = await readFile(path);
  if (key.length !== 32) throw new Error(`the key of stored files at ${path} is not of 32 bytes`);
  return key;
}

/** A key of its own for each file: its id and 16 random bytes are in it, so that no file can stand for another. */
function keyOf(key: Buffer, salt: Buffer, fileId: bigint): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, `fairtick file ${fileId}`, 32));
}

/** Number of the piece, and whether it is the last: pieces cannot change places, and an end cannot be cut off. */
function nonceOf(piece: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(piece, 7);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Writes a file encrypted, piece by piece, and onto the disk for good. */
export async function encryptFile(key: Buffer, fileId: bigint, from: string, to: string): Promise<void> {
  const salt = randomBytes(SALT_BYTES);
  const fileKey = keyOf(key, salt, fileId);
  const target = await open(to, "wx", 0o600);
  try {
    await target.write(Buffer.concat([MAGIC, salt]));
    await pipeline(createReadStream(from), async (parts) => {
      let piece = 0;
      for await (const [clear, isLast] of pieces(parts as AsyncIterable<Buffer>, PIECE_BYTES)) {
        const cipher = createCipheriv("aes-256-gcm", fileKey, nonceOf(piece, isLast));
        await target.write(Buffer.concat([cipher.update(clear), cipher.final(), cipher.getAuthTag()]));
        piece += 1;
      }
    });
    await target.sync();
  } finally {
    await target.close();
  }
}

/** The clear bytes as they are read; throws where a byte was changed, moved or cut off. */
export async function* decryptFile(key: Buffer, fileId: bigint, sealed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let fileKey: Buffer | null = null;
  let piece = 0;
  for await (const [part, isLast] of pieces(sealed, PIECE_BYTES + TAG_BYTES, HEAD_BYTES)) {
    if (fileKey === null) {
      if (isLast || !part.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error(`file ${fileId} is no stored file`);
      fileKey = keyOf(key, part.subarray(MAGIC.length), fileId);
      continue;
    }
    const decipher = createDecipheriv("aes-256-gcm", fileKey, nonceOf(piece, isLast));
    decipher.setAuthTag(part.subarray(-TAG_BYTES));
    yield Buffer.concat([decipher.update(part.subarray(0, -TAG_BYTES)), decipher.final()]);
    piece += 1;
  }
}

/** Parts of any size as pieces of one size, and whether each is the last; the last may be shorter, or empty. */
async function* pieces(
  parts: AsyncIterable<Buffer>,
  size: number,
  firstSize = size,
): AsyncGenerator<readonly [Buffer, boolean]> {
  let held = Buffer.alloc(0);
  let wanted = firstSize;
  for await (const part of parts) {
    held = Buffer.concat([held, part]);
    // One piece is kept back: only the end says whether it is the last.
    while (held.length > wanted) {
      yield [held.subarray(0, wanted), false];
      held = held.subarray(wanted);
      wanted = size;
    }
  }
  yield [held, true];
}
