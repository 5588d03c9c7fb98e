import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

const run = promisify(execFile);

/** PostgreSQL's own benchmark: the durable TPC-B-like “simple update” transaction with prepared statements. */
export interface Pgbench {
  /** Returns transactions per second, measured over `seconds`. */
  measure(seconds: number): Promise<number>;
  /** The client count with the best rate on this machine. */
  readonly clients: number;
}

const CLIENT_COUNTS = [16, 32, 64, 96];

/**
 * Fills pgbench's tables in the database at `url` and finds the client count with the best rate. Throws with what to
 * install if pgbench is missing, because the baseline must be measured.
 */
export async function preparePgbench(url: string, scale = 50): Promise<Pgbench> {
  await ensurePgbench();
  await run("pgbench", ["--initialize", "--quiet", `--scale=${scale}`, url]);

  const measure = async (clients: number, seconds: number): Promise<number> => {
    const args = ["-N", "-M", "prepared", "-n", `-c${clients}`, "-j2", `-T${seconds}`, url];
    const { stdout } = await run("pgbench", args);
    const match = /tps = ([0-9.]+)/.exec(stdout);
    if (!match?.[1]) throw new Error(`pgbench printed no rate:\n${stdout}`);
    return Number(match[1]);
  };

  let best = { clients: 0, rate: 0 };
  for (const clients of CLIENT_COUNTS) {
    const rate = await measure(clients, 2);
    if (rate > best.rate) best = { clients, rate };
  }
  return { clients: best.clients, measure: (seconds) => measure(best.clients, seconds) };
}

/** Installs Debian's package if it is missing and this process is root; otherwise throws with what to install. */
async function ensurePgbench(): Promise<void> {
  if (await isThere()) return;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.log("pgbench is missing: apt-get installs postgresql-contrib.");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const options = { stdio: "inherit", env } as const;
    spawnSync("apt-get", ["update", "--quiet"], options);
    spawnSync("apt-get", ["install", "--yes", "--quiet", "--no-install-recommends", "postgresql-contrib"], options);
    if (await isThere()) return;
  }
  throw new Error("pgbench is not installed. It is the baseline of these figures: apt-get install postgresql-contrib");
}

function isThere(): Promise<boolean> {
  return run("pgbench", ["--version"]).then(
    () => true,
    () => false,
  );
}
