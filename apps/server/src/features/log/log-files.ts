import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type LogReader, parseTilePath, type StoredFile, TILE_WIDTH } from "@fairtick/transparency";

/** The log's files in a folder, as they are served. */
export interface LogFiles extends LogReader {
  readonly folder: string;
  /** All of them are on the disk for good when the promise is kept; each appears whole or not at all. */
  store(files: readonly StoredFile[]): Promise<void>;
  /** The same without waiting for the disk: for what can be made again. */
  show(file: StoredFile): Promise<void>;
  /** Removes the partial tiles whose full one is stored: whoever wants them reads that (c2sp.org/tlog-tiles). */
  clear(stored: readonly StoredFile[]): Promise<void>;
}

export async function openLogFiles(folder: string): Promise<LogFiles> {
  await mkdir(folder, { recursive: true });

  async function write({ path, bytes }: StoredFile, forGood: boolean): Promise<void> {
    const full = join(folder, path);
    const file = await open(`${full}.new`, "w");
    try {
      await file.writeFile(bytes);
      if (forGood) await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${full}.new`, full);
  }

  /** Answers which folders have to be synced: a file's own, and those above one that is new. */
  async function makeFolder(path: string): Promise<string[]> {
    const own = dirname(join(folder, path));
    const first = await mkdir(own, { recursive: true });
    if (first === undefined) return [own];
    const top = dirname(first);
    const folders = [own];
    for (let each = own; each !== top; each = dirname(each)) folders.push(dirname(each));
    return folders;
  }

  return {
    folder,
    async read(path) {
      try {
        return await readFile(join(folder, path));
      } catch (error) {
        if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
          return null;
        throw error;
      }
    },
    async store(files) {
      const touched = new Set<string>();
      for (const file of files) for (const each of await makeFolder(file.path)) touched.add(each);
      await Promise.all(files.map((file) => write(file, true)));
      // A file's name is kept by its folder.
      await Promise.all([...touched].map(syncFolder));
    },
    show: (file) => write(file, false),
    async clear(stored) {
      const full = stored.filter(({ path }) => parseTilePath(path)?.width === TILE_WIDTH);
      await Promise.all(full.map(({ path }) => rm(join(folder, `${path}.p`), { recursive: true, force: true })));
    },
  };
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
