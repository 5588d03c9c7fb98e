import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { migrate, startPostgres } from "@fairtick/postgres";
import pg from "pg";

const MIGRATIONS = resolve(import.meta.dirname, "../../apps/server/migrations");
/** Settings that affect the cost of a commit; they are printed and kept with the figures. */
const TOLD = [
  "server_version",
  "fsync",
  "synchronous_commit",
  "full_page_writes",
  "wal_compression",
  "commit_delay",
  "shared_buffers",
  "max_wal_size",
  "checkpoint_timeout",
  "wal_level",
];

/** The embedded PostgreSQL with the product's settings in its own folder, shared by product and baseline. */
export interface BenchServer {
  /** Owner's address of the product's database. */
  readonly url: string;
  /** Address of an empty database for the baseline. */
  readonly baselineUrl: string;
  readonly pid: number;
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
  /** A superuser's connection to the product's database. */
  readonly admin: pg.Client;
  /** Returns how many bytes of write-ahead log have been written. */
  walBytes(): Promise<bigint>;
  checkpoint(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the server. Throws if commits wouldn't be durable, because figures without fsync are worthless. */
export async function startBenchServer(): Promise<BenchServer> {
  const scratch = mkdtempSync(join(tmpdir(), "fairtick-bench-"));
  const server = await startPostgres({ folder: join(scratch, "postgres") });
  const adminUrl = new URL(server.adminUrl);
  adminUrl.pathname = new URL(server.url).pathname;
  const admin = new pg.Client({ connectionString: adminUrl.toString() });
  const stop = async () => {
    await admin.end().catch(() => undefined);
    await server.stop();
    rmSync(scratch, { recursive: true, force: true });
    rmSync(server.folder, { recursive: true, force: true });
  };
  try {
    await migrate(server.url, MIGRATIONS);
    await admin.connect();
    await admin.query("CREATE DATABASE baseline");
    const { rows } = await admin.query<{ name: string; setting: string }>(
      "SELECT name, current_setting(name) AS setting FROM pg_settings WHERE name = ANY($1)",
      [TOLD],
    );
    const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
    for (const name of ["fsync", "synchronous_commit", "full_page_writes"]) {
      if (settings[name] !== "on")
        throw new Error(`${name} is ${settings[name]}: a benchmark of durable commits has it on`);
    }
    const baselineUrl = new URL(server.adminUrl);
    baselineUrl.pathname = "/baseline";
    return {
      url: server.url,
      baselineUrl: baselineUrl.toString(),
      pid: server.pid,
      folder: scratch,
      settings,
      admin,
      async walBytes() {
        const { rows } = await admin.query<{ bytes: string }>("SELECT (pg_current_wal_lsn() - '0/0')::bigint AS bytes");
        return BigInt(rows[0]?.bytes ?? 0);
      },
      async checkpoint() {
        await admin.query("CHECKPOINT");
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
