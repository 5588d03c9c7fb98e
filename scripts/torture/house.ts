import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort, migrate, type RunningPostgres, startPostgres } from "@fairtick/postgres";
import { createBuilder, waitUntil } from "@fairtick/testkit";
import { type Family, forkRoles, startFamily } from "../family.ts";

/** What may be killed: one of the product's processes, both, or the database. */
export const VICTIMS = ["server", "market", "server and market", "postgres"] as const;
export type Victim = (typeof VICTIMS)[number];

/** A stretch in which something was dead, ms since 1970: from the kill until the product said again that it is ready. */
export interface Outage {
  readonly victim: Victim;
  readonly from: number;
  readonly to: number;
}

/** Market and server on a PostgreSQL that outlives them, or not. */
export interface House {
  readonly base: string;
  /** The product's database, as its owner. */
  readonly url: string;
  /** Logins of members with practice money. */
  readonly tokens: readonly string[];
  /** SIGKILL without a warning, then a start as after a power cut; resolves once the product is ready. */
  kill(victim: Victim): Promise<Outage>;
  stop(): Promise<void>;
}

const MIGRATIONS = resolve(import.meta.dirname, "../../apps/server/migrations");
const MEMBER_MONEY = 100_000_000_000n;
const READY_MS_MAX = 120_000;

export async function startHouse(members: number): Promise<House> {
  const folder = mkdtempSync(join(tmpdir(), "fairtick-torture-"));
  const options = { folder: join(folder, "postgres"), port: await freePort() };
  const port = String(await freePort());
  const base = `http://127.0.0.1:${port}`;
  let postgres: RunningPostgres = await startPostgres(options);
  let family: Family | undefined;
  const { url } = postgres;

  async function startProcesses(): Promise<void> {
    family = startFamily(forkRoles(["market", "server"]), {
      DATABASE_URL: url,
      DATA_DIR: join(folder, "data"),
      PORT: port,
      CONSOLE_PORT: "0",
      RATE_LIMIT_FACTOR: "100000",
      LOG_LEVEL: "fatal",
    });
    await family.started;
    await untilReady();
  }

  async function untilReady(): Promise<void> {
    const isReady = async () => (await fetch(`${base}/health/ready`).catch(() => null))?.ok ?? false;
    await waitUntil("the product says that it is ready", isReady, READY_MS_MAX);
  }

  async function stop(): Promise<void> {
    await family?.stop();
    await postgres.stop();
    rmSync(postgres.folder, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }

  try {
    await migrate(url, MIGRATIONS);
    await startProcesses();
    return {
      base,
      url,
      tokens: await openSessions(url, members),
      async kill(victim) {
        const from = Date.now();
        if (victim === "postgres") {
          process.kill(postgres.pid, "SIGKILL");
          await postgres.stop();
          postgres = await startPostgres(options);
          await untilReady();
        } else {
          for (const [name, pid] of family?.pids ?? []) if (victim.includes(name)) process.kill(pid, "SIGKILL");
          await family?.broken;
          // Whoever starts them has the others end too.
          await family?.stop();
          await startProcesses();
        }
        return { victim, from, to: Date.now() };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openSessions(url: string, count: number): Promise<string[]> {
  const build = await createBuilder(url);
  try {
    return await build.logIn(await build.createMembers(count, { practice: MEMBER_MONEY, region: "BR" }));
  } finally {
    await build.end();
  }
}
