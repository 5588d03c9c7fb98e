import { mkdir, writeFile } from "node:fs/promises";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { openServerToBackUp, type ServerBackup } from "@fairtick/postgres";
import { copyDataFolder, DATABASE_FOLDER } from "./data-folder.ts";

/** Written last: a backup without it was cut short. */
export const COMPLETE = "backup.json";

/**
 * What says how far the log has come is copied before the database alone: tables that know less than was published halt the
 * log, and a witness refuses it.
 */
const ONLY_BEFORE = /^(log\/public\/(checkpoint|rotations)|witness)(\/|$)/;
/** The path of anything that is still being written. */
const UNFINISHED = /(\.new|\.partial)$|^files\/arriving\//;

/**
 * Copies database and data folder of a running product into `target`. The folder is copied twice: before the database, for
 * seeds that are forgotten once they are revealed and for the log's checkpoint, and after it, for every key, seed and file
 * that the database already speaks of.
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
  // On the disk for good before anybody relies on it.
  spawnSync("sync");
  return made;
}
