import { rmSync } from "node:fs";
import { findBinaries } from "./binaries.ts";
import { ADMIN, connectionUrl, createCluster, createOwnerAndDatabase, DATABASE, OWNER } from "./cluster.ts";
import {
  checkFreeSpace,
  folderAt,
  giveUpOwnership,
  ownerOf,
  prepareFolder,
  removeOldSockets,
  socketFolderOf,
  type ServerFolder,
  takeOwnership,
} from "./folder.ts";
import { startPostmaster, stopOrphan, stopProcess, type PostmasterEnd } from "./postmaster.ts";
import { serverSettings } from "./settings.ts";
import { unprivilegedUser } from "./system-user.ts";

/**
 * Free disk space required to start. A new cluster and its first log segments take about 60 MB; the rest is room to
 * work.
 */
export const FREE_BYTES_MIN = 300_000_000n;

export interface PostgresOptions {
  /** The server's folder; created if missing. If the user `postgres` can't reach it, the server is elsewhere. */
  readonly folder: string;
  /** A port of the loopback address; by default a free one. */
  readonly port?: number;
  /** Server settings that replace those of `serverSettings`. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Called with sentences that a person should read, such as where the data is or that a leftover server was stopped.
   */
  readonly say?: (sentence: string) => void;
}

export interface RunningPostgres {
  /** Address of the product's database for its owner (not a superuser). */
  readonly url: string;
  /** Address of the same server's `postgres` database for its superuser. */
  readonly adminUrl: string;
  readonly port: number;
  readonly pid: number;
  /** The folder in which the data really is. */
  readonly folder: string;
  /** Whether this start created the cluster. */
  readonly isNew: boolean;
  /** Settles when the server's process ends, whoever ended it. */
  readonly ended: Promise<PostmasterEnd>;
  /**
   * Stops the server with a fast shutdown and waits until it has ended; may be called twice. If that takes longer than
   * `patienceMs`, the server is ended by force. Its next start then replays its log, and nothing that was confirmed is
   * lost.
   */
  stop(patienceMs?: number): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL on the loopback address and creates the product's database and login. Throws a
 * `PostgresProblem` for anything that a person must solve.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const say = options.say ?? (() => undefined);
  const user = unprivilegedUser();
  const binaries = findBinaries(user, say);
  const folder = prepareFolder(options.folder, user, say);
  takeOwnership(folder);
  let pid: number | undefined;
  try {
    await stopOrphan(folder, say);
    checkFreeSpace(folder.path, FREE_BYTES_MIN);
    const isNew = await createCluster(folder, binaries, user);
    removeOldSockets(folder);
    const settings = { ...socketSettings(folder), ...serverSettings(options.settings) };
    const server = await startPostmaster(folder, binaries, settings, user, options.port);
    pid = server.pid;
    await createOwnerAndDatabase(folder, server.port);
    let hasEnded = false;
    void server.ended.then(() => (hasEnded = true));
    return {
      url: connectionUrl(folder, OWNER, server.port, DATABASE),
      adminUrl: connectionUrl(folder, ADMIN, server.port, "postgres"),
      port: server.port,
      pid: server.pid,
      folder: folder.path,
      isNew,
      ended: server.ended,
      async stop(patienceMs) {
        // Once it has ended, its process id may belong to another program.
        if (!hasEnded) await stopProcess(server.pid, patienceMs);
        giveUpOwnership(folder);
      },
    };
  } catch (error) {
    if (pid !== undefined) await stopProcess(pid);
    giveUpOwnership(folder);
    throw error;
  }
}

function socketSettings(folder: ServerFolder): Record<string, string> {
  const socket = socketFolderOf(folder);
  return { unix_socket_directories: socket === undefined ? "" : `"${socket}"` };
}

/**
 * Removes a server's folder whose owner no longer runs, such as a killed test run, and stops the server that may still
 * run there. Does nothing while the owner runs.
 */
export async function discardServer(path: string): Promise<void> {
  const folder = folderAt(path);
  if (ownerOf(folder) !== undefined) return;
  await stopOrphan(folder, () => undefined);
  rmSync(path, { recursive: true, force: true });
}
