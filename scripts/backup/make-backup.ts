import { mkdir, writeFile } from "node:fs/promises";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { openServerToBackUp, type ServerBackup } from "@fairtick/postgres";
import { copyDataFolder, DATABASE_FOLDER } from "./data-folder.ts";

/** The file that is written last: a backup without it is incomplete. */
export const COMPLETE = "backup.json";

/**
 * Files that record how far the log has come. They are copied only before the database: if the tables knew less than
 * was
 * published, the log would halt and a witness would refuse it.
 */
const ONLY_BEFORE = /^(log\/public\/(checkpoint|rotations)|witness)(\/|$)/;
/** Matches paths of files that are still being written. */
const UNFINISHED = /(\.new|\.partial)$|^files\/arriving\//;

/**
 * Copies database and data folder of a running product into `target`. The folder is copied twice: before the database
 * for
 * the log's checkpoint and for seeds that are deleted once revealed, and after it for every key, seed and file that the
 * database already refers to.
 */
export async function makeBackup(dataDir: string, target: string): Promise<ServerBackup> {
  const data = join(target, "data");
  const server = await openServerToBackUp(join(dataDir, DATABASE_FOLDER));
  let made: ServerBackup;
  try {
    await mkdir(target, { recursive: true, mode: 0o700 });
    await copyDataFolder(dataDir, data, (path) => !UNFINISHED.test(path));
    made = await server.copyTo(join(target, "database"));
  } finally {
    await server.close();
  }
  await copyDataFolder(dataDir, data, (path) => !UNFINISHED.test(path) && !ONLY_BEFORE.test(path));
  await writeFile(join(target, COMPLETE), `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  // Flush it to disk before anyone relies on it.
  spawnSync("sync");
  return made;
}
