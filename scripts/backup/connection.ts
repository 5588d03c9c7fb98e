import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_FOLDER } from "./data-folder.ts";

/** Returns the owner's address of the database that runs in a data folder. */
export function connectionUrlOf(dataDir: string): string {
  const folder = join(dataDir, DATABASE_FOLDER);
  const port = readFileSync(join(folder, "data", "postmaster.pid"), "utf8").split("\n")[3] ?? "";
  const password = readFileSync(join(folder, "fairtick.password"), "utf8");
  return `postgresql://fairtick:${encodeURIComponent(password)}@127.0.0.1:${port}/fairtick`;
}
