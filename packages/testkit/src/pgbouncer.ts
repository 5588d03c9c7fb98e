import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@fairtick/postgres";
import { findTool } from "./system-tool.ts";
import { waitUntil } from "./wait-until.ts";

const PGBOUNCER = "/usr/sbin/pgbouncer";
/**
 * The user who runs PgBouncer if this process is root, because it refuses to run as root. The embedded PostgreSQL has
 * created the user.
 */
const USER = "postgres";

export interface Pooler {
  /** Address of the database through the pooler, with the same login. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface PoolerOptions {
  /** Address of the database behind the pooler. */
  readonly url: string;
  readonly mode: "session" | "transaction" | "statement";
  /** Startup parameters that the pooler accepts and ignores. */
  readonly ignored?: readonly string[];
  /** Number of connections to PostgreSQL. */
  readonly poolSize?: number;
}

/**
 * Starts a real PgBouncer in front of a database. It lets everyone in as that database's login, so it is for tests
 * only.
 */
export async function startPgBouncer(options: PoolerOptions): Promise<Pooler> {
  const found = findTool({ name: "PgBouncer", path: PGBOUNCER, packages: ["pgbouncer"] });
  if (!found.ok) throw new Error(found.sentence);
  const { username, password, port: databasePort, pathname } = new URL(options.url);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "pgbouncer-"));
  const settings = [
    "[databases]",
    `* = host=127.0.0.1 port=${databasePort} user=${username} password=${decodeURIComponent(password)}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    `pool_mode = ${options.mode}`,
    `default_pool_size = ${options.poolSize ?? 20}`,
    `ignore_startup_parameters = ${["extra_float_digits", ...(options.ignored ?? [])].join(",")}`,
  ];
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, `${settings.join("\n")}\n`);
  chmodSync(folder, 0o755);
  const user = process.getuid?.() === 0 ? ["-u", USER] : [];
  const child = spawn(PGBOUNCER, [...user, file], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (text: Buffer) => (said += text.toString("utf8")));
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitUntil("PgBouncer to listen", () => listens(port, child.exitCode === null, said));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `postgresql://${username}@127.0.0.1:${port}${pathname}`, stop };
}

async function listens(port: number, isRunning: boolean, said: string): Promise<boolean> {
  if (!isRunning) throw new Error(`PgBouncer ended: ${said}`);
  const socket = connect(port, "127.0.0.1");
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  });
  socket.destroy();
  return isOpen;
}
