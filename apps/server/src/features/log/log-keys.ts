import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ED25519_TYPE, formatVerifierKey, type SignerKey } from "@fairtick/transparency";
import type { Config } from "../../platform/config.ts";
import type { Queryable } from "../../platform/database.ts";
import { openKeyFile } from "../../platform/key-file.ts";
import { isActive, readKeys, registerKey } from "./register-key.ts";

export interface LogSigners {
  readonly origin: string;
  /** Keys that sign now. More than one while keys rotate. */
  active(): Promise<readonly SignerKey[]>;
}

const FIRST_KEY = "log-1.key";

/** Opens the log's keys in `dataDir`, or creates the first one. A key's name is the log's origin, which never changes. */
export function openLogKeyFiles(dataDir: string, origin: string): readonly SignerKey[] {
  const folder = join(dataDir, "log", "keys");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = readdirSync(folder).filter((name) => name.endsWith(".key"));
  const names = files.length === 0 ? [FIRST_KEY] : files.toSorted();
  const keys = names.map((name) => openKeyFile(join(folder, name), origin, ED25519_TYPE));
  const [first] = keys;
  const stranger = keys.find((key) => key.verifier.name !== first?.verifier.name);
  if (stranger !== undefined) throw new Error(`${folder} holds keys of two origins: ${stranger.verifier.name}`);
  return keys;
}

/** Returns the public keys that a witness of this deployment's log needs. Creates the first key if there is none. */
export function logVerifierKeys(config: Pick<Config, "dataDir" | "logOrigin">): string[] {
  return openLogKeyFiles(config.dataDir, config.logOrigin).map((key) => formatVerifierKey(key.verifier));
}

/** Opens the log's keys and registers new ones in the folder: an entry announces each, and it signs from then on. */
export async function openLogSigners(
  database: Queryable,
  keys: readonly SignerKey[],
  now: () => Promise<bigint>,
): Promise<LogSigners> {
  const [first] = keys;
  if (first === undefined) throw new Error("the log has no key");
  for (const key of keys) await registerKey(database, "log", key.verifier);
  return {
    origin: first.verifier.name,
    async active() {
      const [known, at] = [await readKeys(database), await now()];
      return keys.filter((key) => isActive(formatVerifierKey(key.verifier), known, at));
    },
  };
}
