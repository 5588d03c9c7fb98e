import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { makeIfMissing } from "../../platform/key-file.ts";

/** An encrypted file starts with `FTF1` and 16 random bytes, followed by pieces of 64 KiB, each with its tag. */
const MAGIC = Buffer.from("FTF1");
const SALT_BYTES = 16;
const HEAD_BYTES = MAGIC.length + SALT_BYTES;
const PIECE_BYTES = 64 * 1024;
const TAG_BYTES = 16;

/** Reads the folder's key (32 bytes), or creates it. If two processes create it at once, both use the first one's. */
export async function openFileKey(path: string): Promise<Buffer> {
  makeIfMissing(path, () => randomBytes(32));
  const key = await readFile(path);
  if (key.length !== 32) throw new Error(`the key of stored files at ${path} is not 32 bytes long`);
  return key;
}

/** Derives a file's own key from its id and 16 random bytes, so that no stored file can be swapped for another. */
function keyOf(key: Buffer, salt: Buffer, fileId: bigint): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, `fairtick file ${fileId}`, 32));
}

/** Makes a nonce from the piece's number and whether it is the last, so that pieces can't be reordered or cut off. */
function nonceOf(piece: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(piece, 7);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Encrypts a file piece by piece and syncs it to the disk. */
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

/** Yields the decrypted bytes. Throws if any byte was changed, moved or cut off. */
export async function* decryptFile(key: Buffer, fileId: bigint, sealed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let fileKey: Buffer | null = null;
  let piece = 0;
  for await (const [part, isLast] of pieces(sealed, PIECE_BYTES + TAG_BYTES, HEAD_BYTES)) {
    if (fileKey === null) {
      if (isLast || !part.subarray(0, MAGIC.length).equals(MAGIC))
        throw new Error(`file ${fileId} is not a stored file`);
      fileKey = keyOf(key, part.subarray(MAGIC.length), fileId);
      continue;
    }
    const decipher = createDecipheriv("aes-256-gcm", fileKey, nonceOf(piece, isLast));
    decipher.setAuthTag(part.subarray(-TAG_BYTES));
    yield Buffer.concat([decipher.update(part.subarray(0, -TAG_BYTES)), decipher.final()]);
    piece += 1;
  }
}

/** Cuts chunks of any size into pieces of one size, and marks the last one, which may be shorter or empty. */
async function* pieces(
  parts: AsyncIterable<Buffer>,
  size: number,
  firstSize = size,
): AsyncGenerator<readonly [Buffer, boolean]> {
  let held = Buffer.alloc(0);
  let wanted = firstSize;
  for await (const part of parts) {
    held = Buffer.concat([held, part]);
    // Always hold one piece back: only at the end is it known to be the last.
    while (held.length > wanted) {
      yield [held.subarray(0, wanted), false];
      held = held.subarray(wanted);
      wanted = size;
    }
  }
  yield [held, true];
}
