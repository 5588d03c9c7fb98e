import { createReadStream } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** Storage for encrypted files: a folder or a bucket. It never sees an unencrypted byte. */
export interface SealedFiles {
  /** Stores the file at `path`, which is already synced to the disk. The file is stored once this resolves. */
  keep(name: string, path: string): Promise<void>;
  read(name: string): AsyncIterable<Buffer>;
  /** Removes a file. Does nothing if it isn't there. */
  remove(name: string): Promise<void>;
  /** Yields at least the names after this one. Names are ids, which sort by time. */
  names(after: string): AsyncIterable<string>;
}

/** The storage can't be reached at the moment. Nothing is wrong with the file. */
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
