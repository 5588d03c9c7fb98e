import { createReadStream } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** Where encrypted files lie: a folder, or a bucket. None of them ever sees a byte in the clear. */
export interface SealedFiles {
  /** Takes the file at `path`, which was written to the disk for good; it is kept once this resolves. */
  keep(name: string, path: string): Promise<void>;
  read(name: string): AsyncIterable<Buffer>;
  /** No matter whether it is there. */
  remove(name: string): Promise<void>;
  /** Names later than this one at least; ids sort by their time. */
  names(after: string): AsyncIterable<string>;
}

/** Nothing is wrong with the file: it cannot be kept at the moment. */
export class FilesOutOfReach extends Error {}

export function openFolder(folder: string): SealedFiles {
  return {
    keep: (name, path) => rename(path, join(folder, name)),
    read: (name) => createReadStream(join(folder, name)) as AsyncIterable<Buffer>,
    remove: (name) => rm(join(folder, name), { force: true }),
    async *names() {
      yield* await readdir(folder);
    },
  };
}
