import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { migrate, startPostgres } from "@fairtick/postgres";
import pg from "pg";

const MIGRATIONS = resolve(import.meta.dirname, "../../apps/server/migrations");
/** Settings that decide what a commit costs; printed and kept with the figures. */
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

/** The embedded PostgreSQL with the product's settings, in a folder of its own: product and baseline share it. */
export interface BenchServer {
  /** The product's database, as its owner. */
  readonly url: string;
  /** An empty database beside it, for the baseline. */
  readonly baselineUrl: string;
  readonly pid: number;
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
  /** As superuser in the product's database. */
  readonly admin: pg.Client;
  /** How far the write-ahead log has got, in bytes. */
  walBytes(): Promise<bigint>;
  checkpoint(): Promise<void>;
  stop(): Promise<void>;
}

/** Throws where a commit would not be durable: figures without fsync are worth nothing. */
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
