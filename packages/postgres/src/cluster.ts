import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Binaries } from "./binaries.ts";
import { noSpace, type ServerFolder, socketFolderOf } from "./folder.ts";
import { PostgresProblem } from "./problem.ts";
import type { SystemUser } from "./system-user.ts";

/** The cluster's superuser, for creating the database and for benchmarks. The product itself never uses it. */
export const ADMIN = "postgres";
/** The product's login. It owns its database and may create roles and databases, but isn't a superuser. */
export const OWNER = "fairtick";
export const DATABASE = "fairtick";

/**
 * Creates the cluster if there is none, in a neighbouring folder that is renamed when it is complete, so that a killed
 * initdb leaves nothing that looks like a cluster. It uses byte order, UTF-8 and PostgreSQL's own locale, so that no
 * index depends on the machine's C library. Returns whether it created one.
 */
export async function createCluster(folder: ServerFolder, binaries: Binaries, user?: SystemUser): Promise<boolean> {
  if (existsSync(join(folder.data, "PG_VERSION"))) {
    checkMajor(folder, binaries);
    return false;
  }
  const partial = `${folder.data}.partial`;
  rmSync(partial, { recursive: true, force: true });
  const passwordFile = passwordPath(folder, ADMIN);
  writeFileSync(passwordFile, randomBytes(24).toString("base64url"), { mode: 0o600 });
  if (user) chownSync(passwordFile, user.uid, user.gid);
  const options = [
    `--pgdata=${partial}`,
    `--username=${ADMIN}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--no-instructions",
  ];
  const { code, output } = await run(binaries.initdb, options, user);
  if (code !== 0) {
    if (output.includes("No space left on device")) throw noSpace(folder.path);
    throw new PostgresProblem(
      `PostgreSQL's initdb failed in ${folder.path}: ${output.trim().split("\n").slice(-4).join(" ")}`,
    );
  }
  renameSync(partial, folder.data);
  return true;
}

function checkMajor(folder: ServerFolder, binaries: Binaries): void {
  const made = readFileSync(join(folder.data, "PG_VERSION"), "utf8").trim();
  if (made === String(binaries.major)) return;
  throw new PostgresProblem(
    `The data in ${folder.data} was made by PostgreSQL ${made}, and this is PostgreSQL ${binaries.major}. ` +
      `Start it once with a PostgreSQL ${made} and move it with pg_dump and psql, set DATABASE_URL to that server, ` +
      `or name an empty folder in DATA_DIR.`,
  );
}

function passwordPath(folder: ServerFolder, role: string): string {
  return join(folder.path, `${role}.password`);
}

/**
 * Returns the address of a database. It uses the server's socket if there is one, which is faster than the loopback
 * address. The latter stays open as well, for psql and pg_dump.
 */
export function connectionUrl(folder: ServerFolder, role: string, port: number, database: string): string {
  const password = encodeURIComponent(readFileSync(passwordPath(folder, role), "utf8"));
  const socket = socketFolderOf(folder);
  const through = socket === undefined ? "" : `?host=${encodeURIComponent(socket)}`;
  return `postgresql://${role}:${password}@127.0.0.1:${port}/${database}${through}`;
}

/** Creates the product's login and its database if they are missing. Does nothing on later starts. */
export async function createOwnerAndDatabase(folder: ServerFolder, port: number): Promise<void> {
  const client = new pg.Client({ connectionString: connectionUrl(folder, ADMIN, port, "postgres") });
  await client.connect();
  try {
    const known = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [OWNER]);
    if (known.rowCount === 0 || !existsSync(passwordPath(folder, OWNER))) {
      const password = randomBytes(24).toString("base64url");
      const verb = known.rowCount === 0 ? "CREATE" : "ALTER";
      await client.query(`${verb} ROLE ${OWNER} LOGIN CREATEROLE CREATEDB PASSWORD '${password}'`);
      await client.query(`GRANT pg_checkpoint, pg_monitor TO ${OWNER}`);
      writeFileSync(passwordPath(folder, OWNER), password, { mode: 0o600 });
    }
    const made = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [DATABASE]);
    if (made.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`);
  } finally {
    await client.end();
  }
}

function run(
  program: string,
  options: readonly string[],
  user: SystemUser | undefined,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, options, {
      ...user,
      cwd: "/",
      env: cleanEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const collect = (chunk: Buffer) => {
      output += chunk.toString("utf8");
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ code, output });
    });
  });
}

/** Returns an environment without PG* and LC_* variables, because PostgreSQL's programs would obey them. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  return { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C", TZ: "UTC" };
}
