import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type LogReader, parseTilePath, type StoredFile, TILE_WIDTH } from "@fairtick/transparency";

/** The log's files in a folder, in the layout in which they are served. */
export interface LogFiles extends LogReader {
  readonly folder: string;
  /** Stores files. Once this resolves, all of them are synced to the disk. Each file appears complete or not at all. */
  store(files: readonly StoredFile[]): Promise<void>;
  /** Stores a file without waiting for the disk. Only for files that can be made again. */
  show(file: StoredFile): Promise<void>;
  /** Removes partial tiles whose full tile is stored. Readers then use the full one (c2sp.org/tlog-tiles). */
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

  /** Makes a folder. Returns the folders to sync: this one, and the parents of every new one. */
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
      // A file's name is stored in its folder, so the folder needs a sync too.
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
