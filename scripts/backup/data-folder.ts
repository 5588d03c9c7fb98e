import { chmod, copyFile, mkdir, readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { readConfig } from "@fairtick/server";

/** The database's folder inside the data folder. */
export const DATABASE_FOLDER = "postgres";

/** Returns the folder where the product with this environment keeps its data. */
export function dataDirOf(environment: NodeJS.ProcessEnv): string {
  return readConfig({ ...environment, DATABASE_URL: "postgresql://127.0.0.1/fairtick" }).dataDir;
}

/** Copies a data folder except for its database. `isWanted` decides for each path in it. */
export async function copyDataFolder(
  from: string,
  to: string,
  isWanted: (path: string) => boolean,
  root = from,
): Promise<void> {
  await mkdir(to, { recursive: true, mode: (await stat(from)).mode });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const path = relative(root, source);
    if (path === DATABASE_FOLDER || path === "owner" || !isWanted(path)) continue;
    if (entry.isDirectory()) await copyDataFolder(source, join(to, entry.name), isWanted, root);
    else if (entry.isFile()) await copyOne(source, join(to, entry.name));
  }
}

/** Copies one file; skips it if it was removed in the meantime. */
async function copyOne(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
    await chmod(to, (await stat(from)).mode);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}
