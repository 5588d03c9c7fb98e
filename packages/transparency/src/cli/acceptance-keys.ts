import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Hashes } from "@fairtick/domain";
import { followRotations, parseRotations } from "../key-rotation.ts";
import { formatVerifierKey, parseVerifierKey, type VerifierKey } from "../keys.ts";
import { writeForGood } from "./witness-store.ts";

/** Limit of a request body with rotations; one has about 2 kB. */
export const ROTATIONS_BYTES_MAX = 256 * 1024;
/** Only a watched log can sign rotations. One that makes more than this wants to fill the folder. */
const LEARNED_MAX = 100;

/**
 * The acceptance keys by which a witness judges postings: those that it was given, and those that the logs which it
 * watches rotated to. Otherwise a house that changes its key would leave every new order without a board.
 */
export interface AcceptanceKeys {
  all(): readonly VerifierKey[];
  /**
   * Learns keys from rotations in the form in which a log serves them (`/log/rotations`), brought by anyone. Returns 200
   * once they are on disk, also if there is nothing new, or 400 or 403 with the reason.
   */
  learn(body: string): Promise<{ readonly status: 200 | 400 | 403; readonly text: string }>;
}

export interface AcceptanceKeysParts {
  readonly hashes: Hashes;
  /** The witness's folder. */
  readonly folder: string;
  /** Keys of the watched logs. */
  readonly logKeys: readonly VerifierKey[];
  readonly given: readonly VerifierKey[];
}

/** Opens the keys with those learned before. Throws if their file is malformed. */
export async function openAcceptanceKeys({
  hashes,
  folder,
  logKeys,
  given,
}: AcceptanceKeysParts): Promise<AcceptanceKeys> {
  const path = join(folder, "acceptance-keys");
  let learned = await readLearned(path);
  const all = () => [...given, ...learned];
  const logs = [...new Set(logKeys.map(({ name }) => name))].map((origin) => ({
    origin,
    logKeys: logKeys.filter(({ name }) => name === origin),
    witnessKeys: [],
    // A log that shows this witness another key than everyone else gains nothing: verifiers follow the public log.
    witnessesNeeded: 0,
  }));

  async function add(body: string): Promise<{ readonly status: 200 | 403; readonly text: string }> {
    const rotations = parseRotations(body);
    const fresh = logs.flatMap((log) => {
      const { followed } = followRotations(hashes, { ...log, acceptanceKeys: all() }, rotations);
      return followed.flatMap(({ role, key }) => (role === "acceptance" ? [key] : []));
    });
    if (learned.length + fresh.length > LEARNED_MAX) return { status: 403, text: "too many keys" };
    if (fresh.length > 0) {
      const next = [...learned, ...fresh];
      await writeForGood(folder, path, next.map((key) => `${formatVerifierKey(key)}\n`).join(""));
      learned = next;
    }
    return { status: 200, text: `${fresh.length} new` };
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    all,
    async learn(body) {
      if (!isRotations(body)) return { status: 400, text: "these are no rotations" };
      // One at a time, since each write replaces the whole file.
      const mine = last.then(() => add(body));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}

function isRotations(body: string): boolean {
  try {
    parseRotations(body);
    return true;
  } catch {
    return false;
  }
}

async function readLearned(path: string): Promise<readonly VerifierKey[]> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  });
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const key = parseVerifierKey(line);
      if (key === null) throw new Error(`${path} holds a line that is no key`);
      return key;
    });
}
