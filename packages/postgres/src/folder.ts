import { createHash } from "node:crypto";
import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SYSTEM_FOLDER } from "./binaries.ts";
import { codeOf, messageOf, PostgresProblem } from "./problem.ts";
import { processIdentity } from "./processes.ts";
import { reachableFor, type SystemUser } from "./system-user.ts";

/** One server's folder, with `data` (the cluster), `postgres.log`, the passwords and the owner's mark. */
export interface ServerFolder {
  readonly path: string;
  readonly data: string;
  readonly log: string;
  readonly owner: string;
}

/**
 * Creates the folder, owned by the user who runs PostgreSQL. If that user can't reach it (such as in root's home),
 * `SYSTEM_FOLDER`/<hash of the wanted path> is used instead, and `say` is told so.
 */
export function prepareFolder(
  wanted: string,
  user: SystemUser | undefined,
  say: (sentence: string) => void,
): ServerFolder {
  let path = resolve(wanted);
  try {
    mkdirSync(path, { recursive: true });
    if (user && !reachableFor(user, dirname(path))) {
      removeIfEmpty(path);
      const own = systemPathOf(path);
      say(`PostgreSQL's data is in ${own}: ${path} is closed to the user who runs it.`);
      path = own;
      mkdirSync(path, { recursive: true, mode: 0o755 });
    }
    if (user) chownSync(path, user.uid, user.gid);
  } catch (error) {
    if (codeOf(error) === "ENOSPC") throw noSpace(path);
    throw new PostgresProblem(
      `PostgreSQL's folder ${path} cannot be made (${messageOf(error)}). ` +
        `Give this user the right to write there, or name another folder in DATA_DIR.`,
    );
  }
  return folderAt(path);
}

/** Returns where a server's folder is if the user who runs PostgreSQL can't reach the wanted path. */
export function systemPathOf(path: string): string {
  return join(SYSTEM_FOLDER, createHash("sha256").update(path).digest("hex").slice(0, 12));
}

export function folderAt(path: string): ServerFolder {
  return { path, data: join(path, "data"), log: join(path, "postgres.log"), owner: join(path, "owner") };
}

/** Maximum length of a socket's address on every system (on macOS 104 bytes including the final zero). */
const SOCKET_BYTES_MAX = 103;

/** Returns the folder of the server's socket, which is its own folder; undefined if the address would be too long. */
export function socketFolderOf({ path }: ServerFolder): string | undefined {
  const isPlain = !/["\\]/.test(path);
  return isPlain && Buffer.byteLength(join(path, ".s.PGSQL.65535")) <= SOCKET_BYTES_MAX ? path : undefined;
}

/** Removes sockets of earlier starts. Each start has another port, and a killed server leaves its socket behind. */
export function removeOldSockets(folder: ServerFolder): void {
  for (const name of readdirSync(folder.path)) {
    if (name.startsWith(".s.PGSQL.")) rmSync(join(folder.path, name), { force: true });
  }
}

export function noSpace(path: string): PostgresProblem {
  return new PostgresProblem(
    `The disk that holds ${path} is full. Free some space there (or name another folder in DATA_DIR) and start ` +
      `again: nothing that was confirmed is lost.`,
  );
}

/** Throws if the disk is so full that the first writes would fail. */
export function checkFreeSpace(path: string, bytesMin: bigint): void {
  const { bavail, bsize } = statfsSync(path, { bigint: true });
  if (bavail * bsize < bytesMin) throw noSpace(path);
}

/** A folder in which one process at a time works: its path, and the file that says which process that is. */
export type OwnedFolder = Pick<ServerFolder, "path" | "owner">;

/** Returns an owned folder for something other than a server. Its owner's mark is in it too. */
export function ownedFolderAt(path: string): OwnedFolder {
  return { path, owner: join(path, "owner") };
}

/**
 * Marks this process as the one that works in `folder`, replacing the mark of a process that no longer runs. Throws
 * while another owner runs, because then Fairtick is already running here.
 */
export function takeOwnership(folder: OwnedFolder): void {
  const mine = processIdentity(process.pid) ?? `${process.pid}`;
  const draft = `${folder.owner}.${process.pid}`;
  for (;;) {
    try {
      // Written under another name and then linked, so that nobody ever reads an incomplete mark.
      writeFileSync(draft, mine, { mode: 0o600 });
      linkSync(draft, folder.owner);
      return;
    } catch (error) {
      if (codeOf(error) === "ENOSPC") throw noSpace(folder.path);
      if (codeOf(error) !== "EEXIST") throw error;
    } finally {
      rmSync(draft, { force: true });
    }
    const pid = ownerOf(folder);
    if (pid !== undefined && pid !== process.pid) {
      throw new PostgresProblem(
        `Fairtick is running from ${folder.path} already (process ${pid}). Stop it first, ` +
          `or give this one a folder of its own with DATA_DIR.`,
      );
    }
    rmSync(folder.owner, { force: true });
  }
}

/** Returns the process that works in `folder`; undefined if it no longer runs. */
export function ownerOf(folder: OwnedFolder): number | undefined {
  const mark = existsSync(folder.owner) ? readFileSync(folder.owner, "utf8") : "";
  const pid = Number(mark.split(" ")[0]);
  return mark !== "" && processIdentity(pid) === mark ? pid : undefined;
}

export function giveUpOwnership(folder: OwnedFolder): void {
  rmSync(folder.owner, { force: true });
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // The folder isn't empty, so it stays.
  }
}
