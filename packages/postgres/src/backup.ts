import { spawnSync } from "node:child_process";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { cp, lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { ADMIN, connectionUrl } from "./cluster.ts";
import { folderAt, prepareFolder, type ServerFolder, systemPathOf } from "./folder.ts";
import { codeOf, PostgresProblem } from "./problem.ts";
import { unprivilegedUser } from "./system-user.ts";

/**
 * Folders whose content a server recreates at its start (PostgreSQL's manual, "Making a Base Backup Using the Low Level
 * API").
 */
const MADE_ANEW: ReadonlySet<string> = new Set([
  "pg_dynshmem",
  "pg_notify",
  "pg_replslot",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
  "pg_wal",
]);
const LEFT_OUT = /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*|.*\.partial)$/;
const WAL_SEGMENT = /^[0-9A-F]{24}$/;
const PASSWORDS = ["postgres.password", "fairtick.password"];

export interface ServerBackup {
  /** The backup contains everything committed before this moment, by the database's clock. */
  readonly committedBefore: Date;
  readonly major: string;
}

/** A running server to be copied. */
export interface ServerToBackUp {
  /**
   * Copies the running server: its files between pg_backup_start and pg_backup_stop, and the log that makes them
   * consistent.
   */
  copyTo(target: string): Promise<ServerBackup>;
  close(): Promise<void>;
}

/** Connects to the embedded server running in `wanted`. Throws `PostgresProblem` if none is running there. */
export async function openServerToBackUp(wanted: string): Promise<ServerToBackUp> {
  const folder = folderOf(wanted);
  const client = await connect(folder, wanted);
  return {
    close: () => client.end(),
    async copyTo(target) {
      // The slot keeps every log segment from here on. It is dropped when this connection ends.
      await client.query("SELECT pg_create_physical_replication_slot('fairtick_backup', true, true)");
      await client.query("SELECT pg_backup_start('fairtick', true)");
      await copyTree(folder.data, join(target, "data"), true);
      const point = await client.query<{ at: Date }>("SELECT clock_timestamp() AS at");
      const stopped = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop(false)");
      const label = stopped.rows[0]?.labelfile ?? "";
      await writeFile(join(target, "data", "backup_label"), label, { mode: 0o600 });
      await copyLog(folder, target, label);
      for (const name of PASSWORDS) await cp(join(folder.path, name), join(target, name));
      const major = (await readFile(join(folder.data, "PG_VERSION"), "utf8")).trim();
      return { committedBefore: point.rows[0]?.at ?? new Date(0), major };
    },
  };
}

/**
 * Puts a backup where `startPostgres` looks for the server of `wanted`. Its next start replays the log. Throws
 * `PostgresProblem` if there already is a server.
 */
export async function restoreServer(source: string, wanted: string, say: (sentence: string) => void): Promise<void> {
  const user = unprivilegedUser();
  const folder = prepareFolder(wanted, user, say);
  if ((await readdir(folder.path)).length > 0) {
    throw new PostgresProblem(`There is a database in ${folder.path} already. Restore into an empty folder.`);
  }
  await copyTree(join(source, "data"), folder.data, false);
  for (const name of PASSWORDS) await cp(join(source, name), join(folder.path, name));
  spawnSync("chmod", ["-R", "u+rwX,go-rwx", folder.data]);
  if (user) spawnSync("chown", ["-R", `${user.uid}:${user.gid}`, folder.path]);
}

/** Returns the server's folder as prepared when the server was started. Creates nothing. */
function folderOf(wanted: string): ServerFolder {
  const user = unprivilegedUser();
  return existsSync(wanted) ? prepareFolder(wanted, user, () => undefined) : folderAt(systemPathOf(resolve(wanted)));
}

async function connect(folder: ServerFolder, wanted: string): Promise<pg.Client> {
  try {
    const lines = (await readFile(join(folder.data, "postmaster.pid"), "utf8")).split("\n");
    const client = new pg.Client({ connectionString: connectionUrl(folder, ADMIN, Number(lines[3]), "postgres") });
    await client.connect();
    return client;
  } catch {
    throw new PostgresProblem(
      `No PostgreSQL runs in ${wanted}. Start the product first, or name its folder in DATA_DIR.`,
    );
  }
}

/** Copies all log segments from the backup's first one on. The last one contains the end of the backup. */
async function copyLog({ data }: ServerFolder, target: string, label: string): Promise<void> {
  const first = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1];
  if (first === undefined) throw new PostgresProblem("PostgreSQL did not say where its backup begins.");
  const names = await readdir(join(data, "pg_wal"));
  const wanted = names.filter((name) => name.endsWith(".history") || (WAL_SEGMENT.test(name) && name >= first));
  for (const name of wanted) await copyFile(join(data, "pg_wal", name), join(target, "data", "pg_wal", name));
}

/**
 * Copies a folder. If its server is `running`, files come and go during the copy, and short-lived ones are left out.
 */
async function copyTree(from: string, to: string, running: boolean, root = from): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    if (running && LEFT_OUT.test(entry.name)) continue;
    if (entry.isDirectory()) {
      const isEmptied = running && MADE_ANEW.has(relative(root, source));
      if (isEmptied) await mkdir(join(to, entry.name), { recursive: true, mode: 0o700 });
      else await copyTree(source, join(to, entry.name), running, root);
    } else if (entry.isFile()) {
      await copyFile(source, join(to, entry.name));
    } else {
      throw new PostgresProblem(`${source} is neither a file nor a folder: tablespaces cannot be backed up this way.`);
    }
  }
}

/**
 * Copies a file. A file that was removed in the meantime is left out, because replaying the log would remove it too.
 */
async function copyFile(from: string, to: string): Promise<void> {
  try {
    await lstat(from);
    await pipeline(createReadStream(from), createWriteStream(to, { mode: 0o600 }));
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}
