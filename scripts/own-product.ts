import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort, type RunningPostgres, startPostgres } from "@fairtick/postgres";
import { createBuilder, waitUntil } from "@fairtick/testkit";

const PROJECT = resolve(import.meta.dirname, "..");
const START_MS_MAX = 150_000;

/** A product started by a script, with what its operator has: the database as superuser, and the server's folder. */
export interface Product {
  readonly base: string;
  /** Address of the operators' console. */
  readonly console: string;
  readonly dataDir: string;
  /** A scratch folder beside the product's. */
  readonly folder: string;
  readonly account: string;
  readonly password: string;
  /** Superuser's address of its database. */
  readonly databaseUrl: string;
  /** Runs SQL as superuser in the product's database; with `whole` in another one, from which it can be renamed. */
  readonly sql: <Row>(text: string, values?: readonly unknown[], whole?: "whole") => Promise<Row[]>;
  /** `end` stops the product but not its database; `begin` starts it again without waiting until it is ready. */
  end(): Promise<void>;
  begin(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the product as `npm start` does, on free ports and in a scratch folder, and waits until it is ready.
 * `environment` overrides single settings; `whileStarting` works on the database from before the product's first
 * statement on. Throws with the product's output if it doesn't start.
 */
export async function startProduct(
  environment: Readonly<Record<string, string>> = {},
  whileStarting: (sql: Product["sql"]) => Promise<void> = () => Promise.resolve(),
): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), "fairtick-own-"));
  const dataDir = join(folder, "data");
  const postgres = await startPostgres({ folder: join(folder, "postgres") });
  const port = String(await freePort());
  const env = {
    PATH: process.env["PATH"],
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    NODE_OPTIONS: process.env["NODE_OPTIONS"],
    PORT: port,
    CONSOLE_PORT: "0",
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    LOG_LEVEL: "warn",
    ...environment,
  };
  const base = `http://127.0.0.1:${port}`;
  const sql: Product["sql"] = (text, values = [], whole) => asSuperuser(postgres, text, values, whole !== undefined);
  const prepared = whileStarting(sql);
  prepared.catch(() => undefined);
  let running = startChild(env);
  async function end(): Promise<void> {
    const { child, ended } = running;
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await ended;
  }
  async function stop(): Promise<void> {
    await end();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  async function begin(): Promise<void> {
    running = startChild(env);
    await waitForAnswer(base, running);
  }
  const { output } = running;
  try {
    await waitForReady(running);
    await prepared;
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    base,
    ...readPrinted(output()),
    dataDir,
    folder,
    databaseUrl: asSuperuserUrl(postgres),
    sql,
    end,
    begin,
    stop,
  };
}

/** Waits until the product has printed everything a person needs. Throws with its output if it ends before that. */
async function waitForReady({ child, output }: Started): Promise<void> {
  await waitUntil(
    "the product",
    () => {
      if (child.exitCode !== null) throw new Error(`the product did not start:\n${output()}`);
      return /Ctrl-C ends it\.[^]*Account \(Both wallets.*?\) +\S+ +password \S+/.test(output()) || null;
    },
    START_MS_MAX,
  );
}

/** Waits until the product responds at all, even if it isn't ready. Throws with its output if it doesn't. */
async function waitForAnswer(base: string, { child, output }: Started): Promise<void> {
  const answers = async () => {
    if (child.exitCode !== null) throw new Error("the product ended");
    return (await fetch(`${base}/health/ready`).catch(() => null)) !== null || null;
  };
  await waitUntil("an answer", answers, START_MS_MAX).catch((error: unknown) => {
    throw new Error(`the product did not answer after it was started again:\n${output()}`, { cause: error });
  });
}

/** Reads the console's address and the seeded account from the product's output. */
function readPrinted(output: string): Pick<Product, "console" | "account" | "password"> {
  const [, account = "", password = ""] = /^ *Account \(Both wallets.*?\) +(\S+) +password (\S+)/m.exec(output) ?? [];
  return { console: /^ *Operators' console +(\S+)/m.exec(output)?.[1] ?? "", account, password };
}

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  readonly output: () => string;
}

function startChild(env: NodeJS.ProcessEnv): Started {
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
  return { child, ended: new Promise((done) => child.once("close", done)), output: () => said };
}

function asSuperuserUrl({ url, adminUrl }: RunningPostgres): string {
  const admin = new URL(adminUrl);
  admin.pathname = new URL(url).pathname;
  return admin.href;
}

/** Uses a new connection for each statement, so that session settings of an attacker don't persist. */
async function asSuperuser<Row>(
  postgres: RunningPostgres,
  text: string,
  values: readonly unknown[],
  whole: boolean,
): Promise<Row[]> {
  const connection = await createBuilder(whole ? postgres.adminUrl : asSuperuserUrl(postgres));
  try {
    const answer: unknown = await connection.client.query(values.length > 0 ? { text, values: [...values] } : text);
    const last: unknown = Array.isArray(answer) ? answer.at(-1) : answer;
    return (last as { rows: Row[] }).rows;
  } finally {
    await connection.end();
  }
}
