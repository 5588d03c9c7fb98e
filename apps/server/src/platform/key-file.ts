import { randomBytes, randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import {
  formatSignerKey,
  type KeyType,
  parseSignerKey,
  SEED_BYTES,
  type SignerKey,
  signerKey,
} from "@fairtick/transparency";

/**
 * Opens a signing key in a file that only this process's user may read, or creates it from random bytes. If two processes create
 * it at once, both use the winner's key. Throws if the file contains no key.
 */
export function openKeyFile(path: string, name: string, type: KeyType): SignerKey {
  makeIfMissing(path, () => `${formatSignerKey(signerKey(name, type, randomBytes(SEED_BYTES)))}\n`);
  const key = parseSignerKey(readFileSync(path, "utf8").trim());
  if (key?.verifier.type !== type) throw new Error(`${path} contains no key of the required type`);
  return key;
}

/** Opens a secret of 32 random bytes in such a file, or creates it. Throws if the file contains something else. */
export function openSecretFile(path: string): Buffer {
  makeIfMissing(path, () => `${randomBytes(SEED_BYTES).toString("hex")}\n`);
  const text = readFileSync(path, "utf8").trim();
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${path} contains no secret of 64 hexadecimal digits`);
  return Buffer.from(text, "hex");
}

/**
 * Creates a file if it is missing, readable only for this process's user, in a folder of the same kind. It is written elsewhere
 * and then linked into place, so that no one ever reads half of it. If two processes create it at once, one wins.
 */
export function makeIfMissing(path: string, make: () => string | Uint8Array): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  if (!existsSync(path)) writeOnce(path, Buffer.from(make()));
}

function writeOnce(path: string, content: Uint8Array): void {
  const draft = `${path}.${randomUUID()}`;
  const file = openSync(draft, "wx", 0o600);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft);
  }
  const folder = openSync(dirname(path), "r");
  fsyncSync(folder);
  closeSync(folder);
}
