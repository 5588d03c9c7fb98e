import { toHex, utf8, type Hashes } from "@fairtick/domain";
import type { LogReader } from "./tile-tree.ts";
import { checkLogged, type VerifierPolicy } from "./verifier-policy.ts";
import { record, ShapeError, text } from "./shape.ts";

/** Path at which a log shows its newest release, with the proof and the list that its entry hashes. */
export const RELEASE_PATH = "release";

/** A file that the house serves. */
export interface ReleasedFile {
  /** The path that a browser requests, such as `/index.html`. */
  readonly path: string;
  /** SHA-256 in hexadecimal. */
  readonly sha256: string;
}

/** Formats the text whose SHA-256 is a release's `app`: a line `<SHA-256> <path>` for each file, by path, bytewise. */
export function releaseList(files: readonly ReleasedFile[]): string {
  const lines = files.map(({ path, sha256 }) => ({ path: utf8(path), line: `${sha256} ${path}` }));
  return lines
    .toSorted((left, right) => compareBytes(left.path, right.path))
    .map(({ line }) => line)
    .join("\n");
}

/** Parses such a list; null for malformed text. The list of a house that serves no app is empty. */
export function parseReleaseList(list: string): ReleasedFile[] | null {
  if (list === "") return [];
  const files = list.split("\n").map((line) => {
    const [, sha256, path] = /^([0-9a-f]{64}) (\/[^\s?#]{1,400})$/.exec(line) ?? [];
    return sha256 === undefined || path === undefined ? null : { path, sha256 };
  });
  const all = files.filter((file) => file !== null);
  return all.length === files.length && releaseList(all) === list ? all : null;
}

/** A release that is proved to be in the log. */
export interface ProvenRelease {
  readonly at: bigint;
  readonly index: number;
  /** SHA-256 of the entry in hexadecimal. */
  readonly entryHash: string;
  readonly files: readonly ReleasedFile[];
  /** SHA-256 of the verifier's tarball in hexadecimal; null if none was served. */
  readonly verifier: string | null;
}

const shown = record({ entry: text, list: text, proof: text });

/**
 * Reads the release that a log shows, and verifies under pinned keys that the log has it. Whether it is the log's newest
 * one is for `checkIsNewest`. Throws an Error, in English, if it isn't in the log.
 */
export async function readRelease(hashes: Hashes, log: LogReader, policy: VerifierPolicy): Promise<ProvenRelease> {
  const bytes = await log.read(RELEASE_PATH);
  if (bytes === null) throw new Error("the log shows no release of what is served");
  const { entry, list, proof } = readShown(bytes);
  const fact = checkLogged(hashes, "release", { entry, proof }, policy);
  if (fact.state !== "ok")
    throw new Error(`the release is not in the log: ${fact.state === "failed" ? fact.why : "no proof"}`);
  const files = parseReleaseList(list);
  const { app, at, verifier } = fact.entry;
  if (files === null || toHex(hashes.sha256(utf8(list))) !== toHex(app) || files.length !== fact.entry.files) {
    throw new Error("the list of files is not the one that the log's release hashes");
  }
  const entryHash = toHex(hashes.sha256(utf8(entry)));
  return { at, index: fact.index, entryHash, files, verifier: verifier === null ? null : toHex(verifier) };
}

function readShown(bytes: Uint8Array): { readonly entry: string; readonly list: string; readonly proof: string } {
  try {
    return shown(JSON.parse(new TextDecoder().decode(bytes)), "release");
  } catch (error) {
    const why = error instanceof ShapeError ? error.message : "it is no JSON";
    throw new Error(`what the log shows of its release is malformed: ${why}`, { cause: error });
  }
}

function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const place = left.findIndex((byte, at) => byte !== right[at]);
  if (place < 0) return left.length - right.length;
  return (left[place] ?? 0) - (right[place] ?? -1);
}
