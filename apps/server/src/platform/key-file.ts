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
 * A signing key in a file that only this process's user may read; made with new random bytes where it is missing. Of two
 * that make it at the same moment, one wins and both use its key. Throws for a file that holds no key.
 */
export function openKeyFile(path: string, name: string, type: KeyType): SignerKey {
  makeIfMissing(path, () => `${formatSignerKey(signerKey(name, type, randomBytes(SEED_BYTES)))}\n`);
  const key = parseSignerKey(readFileSync(path, "utf8").trim());
  if (key?.verifier.type !== type) throw new Error(`${path} holds no key of the type that is wanted`);
  return key;
}

/** 32 random bytes in such a file, made where it is missing. Throws for a file that holds something else. */
export function openSecretFile(path: string): Buffer {
  makeIfMissing(path, () => `${randomBytes(SEED_BYTES).toString("hex")}\n`);
  const text = readFileSync(path, "utf8").trim();
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${path} holds no secret of 64 hexadecimal digits`);
  return Buffer.from(text, "hex");
}

/**
 * Makes a file that only this process's user may read, in a folder of which the same holds, where it is missing. Nobody
 * ever reads half of it: it is written aside and linked into place. Of two that make it at the same moment, one wins.
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
