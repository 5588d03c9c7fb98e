import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort, migrate, startPostgres } from "@fairtick/postgres";
import { createBuilder, waitUntil } from "@fairtick/testkit";
import { startBeacon } from "../beacon.ts";
import { runOfServer } from "../database.ts";
import { forkRoles, startFamily } from "../family.ts";
import { keepRunning } from "../keep-running.ts";

/** What can be killed: one of the product's processes, both, or the database. */
export const VICTIMS = ["server", "market", "server and market", "postgres"] as const;
export type Victim = (typeof VICTIMS)[number];

/** An outage in ms since 1970: from the kill until the product reports again that it is ready. */
export interface Outage {
  readonly victim: Victim;
  readonly from: number;
  readonly to: number;
}

/** Market with its beacon, server and PostgreSQL, each restarted when it ends, as under `npm start`. */
export interface House {
  readonly base: string;
  /** Owner's address of the product's database. */
  readonly url: string;
  /** Session tokens of members with practice money. */
  readonly tokens: readonly string[];
  /** Sends SIGKILL without warning; resolves once the victim runs again and the product is ready. */
  kill(victim: Victim): Promise<Outage>;
  stop(): Promise<void>;
}

const MIGRATIONS = resolve(import.meta.dirname, "../../apps/server/migrations");
const MEMBER_MONEY = 100_000_000_000n;
const READY_MS_MAX = 120_000;
/** Parts are never given up here, since they are killed again and again. */
const TRIES_MAX = Infinity;

export async function startHouse(members: number): Promise<House> {
  const folder = mkdtempSync(join(tmpdir(), "fairtick-torture-"));
  const options = { folder: join(folder, "postgres"), port: await freePort() };
  const port = String(await freePort());
  const base = `http://127.0.0.1:${port}`;
  const first = await startPostgres(options);
  const { url } = first;
  /** How often a part was reported to be running again. */
  let restarts = 0;
  const say = (sentence: string) => {
    if (sentence.includes("is running again")) restarts += 1;
  };
  const postgres = keepRunning({
    name: "PostgreSQL",
    first: runOfServer(first),
    begin: async () => runOfServer(await startPostgres(options)),
    ending: new AbortController().signal,
    say,
    triesMax: TRIES_MAX,
  });
  await migrate(url, MIGRATIONS);
  const beacon = await startBeacon(join(folder, "beacon"), { ending: new AbortController().signal, say });
  const family = startProcesses({ url, port, dataDir: join(folder, "data"), beacon: beacon.environment, say });

  async function untilReady(): Promise<void> {
    await waitUntil("the product says that it takes orders", () => isAccepting(base), READY_MS_MAX);
  }

  async function stop(): Promise<void> {
    await family.stop();
    await beacon.part.stop();
    await postgres.stop();
    rmSync(first.folder, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }

  function pidsOf(victim: Victim): number[] {
    if (victim === "postgres") return [postgres.pid()];
    return [...family.pids()].filter(([name]) => victim.includes(name)).map(([, pid]) => pid);
  }

  try {
    await family.started;
    await untilReady();
    return {
      base,
      url,
      tokens: await openSessions(url, members),
      async kill(victim) {
        const from = Date.now();
        const pids = pidsOf(victim);
        const before = restarts;
        for (const pid of pids) process.kill(pid, "SIGKILL");
        await waitUntil(`${victim} again`, () => restarts >= before + pids.length || null, READY_MS_MAX);
        await untilReady();
        return { victim, from, to: Date.now() };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startProcesses({
  url,
  port,
  dataDir,
  beacon,
  say,
}: {
  readonly url: string;
  readonly port: string;
  readonly dataDir: string;
  readonly beacon: Readonly<Record<string, string>>;
  readonly say: (sentence: string) => void;
}) {
  return startFamily({
    roles: forkRoles(["market", "server"]),
    environment: {
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      PORT: port,
      CONSOLE_PORT: "0",
      RATE_LIMIT_FACTOR: "100000",
      LOG_LEVEL: "fatal",
      ...beacon,
    },
    say,
    triesMax: TRIES_MAX,
  });
}

async function isAccepting(base: string): Promise<boolean> {
  const answer = await fetch(`${base}/health/ready`).catch(() => null);
  return ((await answer?.json().catch(() => null)) as { accepting: boolean } | null)?.accepting ?? false;
}

async function openSessions(url: string, count: number): Promise<string[]> {
  const build = await createBuilder(url);
  try {
    return await build.logIn(await build.createMembers(count, { practice: MEMBER_MONEY, region: "BR" }));
  } finally {
    await build.end();
  }
}
