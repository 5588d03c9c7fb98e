import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { hashFromBase64, toBase64 } from "../base64.ts";
import { parseDecimalText } from "../decimal-text.ts";
import { COSIGNATURE_TYPE, formatSignerKey, parseSignerKey, SEED_BYTES, signerKey, type SignerKey } from "../keys.ts";
import type { WitnessState } from "../witness.ts";

/** A witness's folder: its key, and for each log the last tree that it cosigned. */
export interface WitnessStore {
  readonly key: SignerKey;
  /** Returns the last tree of this log that was cosigned; null if there is none. */
  stateOf(origin: string): WitnessState | null;
  /** Stores the state durably. The cosignature may only be sent after the promise has resolved. */
  store(origin: string, state: WitnessState): Promise<void>;
}

/**
 * Opens the folder, which only this user may enter; creates the folder and the key if they are missing. `origins`: the
 * watched logs. Throws if a file is malformed, since a witness that has lost its state must not cosign.
 */
export async function openWitnessStore(
  folder: string,
  name: string,
  origins: readonly string[],
): Promise<WitnessStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const keyFile = join(folder, "witness.key");
  const known = await readText(keyFile);
  if (known === null) {
    await writeForGood(
      folder,
      keyFile,
      `${formatSignerKey(signerKey(name, COSIGNATURE_TYPE, randomBytes(SEED_BYTES)))}\n`,
    );
  }
  const key = parseSignerKey((known ?? (await readText(keyFile)) ?? "").trim());
  if (key?.verifier.type !== COSIGNATURE_TYPE) throw new Error(`${keyFile} holds no key of a witness`);
  const states = new Map<string, WitnessState>();
  for (const origin of origins) {
    const text = await readText(stateFile(folder, origin));
    if (text !== null) states.set(origin, parseState(text, origin));
  }
  return {
    key,
    stateOf: (origin) => states.get(origin) ?? null,
    async store(origin, state) {
      await writeForGood(folder, stateFile(folder, origin), `${origin}\n${state.size}\n${toBase64(state.root)}\n`);
      states.set(origin, state);
    },
  };
}

function stateFile(folder: string, origin: string): string {
  return join(folder, `${createHash("sha256").update(origin).digest("hex").slice(0, 32)}.state`);
}

function parseState(text: string, origin: string): WitnessState {
  const [told, sizeText = "", rootText = "", end] = text.split("\n");
  const [size, root] = [parseDecimalText(sizeText), hashFromBase64(rootText)];
  if (told !== origin || size === null || root === null || end !== "") {
    throw new Error(`what was cosigned of ${origin} cannot be read`);
  }
  return { size, root };
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** Writes a file atomically and durably: to a temporary file, synced, then renamed, and the folder synced too. */
export async function writeForGood(folder: string, path: string, text: string): Promise<void> {
  const file = await open(`${path}.new`, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  const directory = await open(folder, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
