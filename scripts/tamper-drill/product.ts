import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort, type RunningPostgres, startPostgres } from "@fairtick/postgres";
import { createBuilder, waitUntil } from "@fairtick/testkit";

const PROJECT = resolve(import.meta.dirname, "../..");
const START_MS_MAX = 150_000;

/** A product of the drill's own, and what its attacker holds: the database as superuser, and the server's folder. */
export interface Product {
  readonly base: string;
  readonly dataDir: string;
  /** A scratch folder beside the product's. */
  readonly folder: string;
  readonly account: string;
  readonly password: string;
  /** As superuser, in the product's database unless `whole`: then in the one beside it, which can rename the product's. */
  sql<Row>(text: string, values?: readonly unknown[], whole?: "whole"): Promise<Row[]>;
  stop(): Promise<void>;
}

export async function startProduct(): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), "fairtick-tamper-"));
  const dataDir = join(folder, "data");
  const postgres = await startPostgres({ folder: join(folder, "postgres") });
  const port = String(await freePort());
  const [child, output] = startChild({
    PATH: process.env["PATH"],
    PORT: port,
    CONSOLE_PORT: "0",
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    LOG_LEVEL: "warn",
  });
  const ended = new Promise((done) => child.once("close", done));
  async function stop(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await ended;
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    await waitUntil(
      "the product",
      () => {
        if (child.exitCode !== null) throw new Error(`the product did not start:\n${output()}`);
        return output().includes("Ctrl-C ends it.") || null;
      },
      START_MS_MAX,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  const login = /^ *Account \(Both wallets.*?\) +(\S+) +password (\S+)/m.exec(output());
  return {
    base: `http://127.0.0.1:${port}`,
    dataDir,
    folder,
    account: login?.[1] ?? "",
    password: login?.[2] ?? "",
    sql: (text, values = [], whole) => asSuperuser(postgres, text, values, whole !== undefined),
    stop,
  };
}

function startChild(env: NodeJS.ProcessEnv): [ChildProcess, () => string] {
  let said = "";
  const child = spawn(process.execPath, ["scripts/launch.mjs", "scripts/start.ts"], {
    cwd: PROJECT,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => {
      said += bytes.toString("utf8");
    });
  return [child, () => said];
}

/** A connection for each statement: what an attacker sets in his session does not outlive it. */
async function asSuperuser<Row>(
  { url, adminUrl }: RunningPostgres,
  text: string,
  values: readonly unknown[],
  whole: boolean,
): Promise<Row[]> {
  const admin = new URL(adminUrl);
  if (!whole) admin.pathname = new URL(url).pathname;
  const connection = await createBuilder(admin.href);
  try {
    const answer: unknown = await connection.client.query(values.length > 0 ? { text, values: [...values] } : text);
    const last: unknown = Array.isArray(answer) ? answer.at(-1) : answer;
    return (last as { rows: Row[] }).rows;
  } finally {
    await connection.end();
  }
}
