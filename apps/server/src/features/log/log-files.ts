import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type LogReader, parseTilePath, type StoredFile, TILE_WIDTH } from "@fairtick/transparency";

/** The log's files in a folder, as they are served. */
export interface LogFiles extends LogReader {
  readonly folder: string;
  /** All of them are on the disk for good when the promise is kept; each appears whole or not at all. */
  store(files: readonly StoredFile[]): Promise<void>;
  /** Removes the partial tiles whose full one is stored: whoever wants them reads that (c2sp.org/tlog-tiles). */
  clear(stored: readonly StoredFile[]): Promise<void>;
}

export async function openLogFiles(folder: string): Promise<LogFiles> {
  await mkdir(folder, { recursive: true });

  async function writeDraft({ path, bytes }: StoredFile): Promise<string> {
    const full = join(folder, path);
    await mkdir(dirname(full), { recursive: true });
    const file = await open(`${full}.new`, "w");
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${full}.new`, full);
    return dirname(full);
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
      const folders = await Promise.all(files.map(writeDraft));
      // A file's name is kept by its folder, a new folder's by the one above it.
      const all = new Set(folders.flatMap((each) => withParents(each, folder)));
      await Promise.all([...all].map(syncFolder));
    },
    async clear(stored) {
      const full = stored.filter(({ path }) => parseTilePath(path)?.width === TILE_WIDTH);
      await Promise.all(full.map(({ path }) => rm(join(folder, `${path}.p`), { recursive: true, force: true })));
    },
  };
}

function withParents(path: string, top: string): string[] {
  const list = [path];
  for (let each = path; each.length > top.length && each.startsWith(top); each = dirname(each))
    list.push(dirname(each));
  return list;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
