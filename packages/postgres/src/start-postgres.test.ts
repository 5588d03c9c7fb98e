import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findBinaries, hydrateLinks, SYSTEM_FOLDER } from "./binaries.ts";
import { checkDatabase } from "./check-database.ts";
import { checkFreeSpace } from "./folder.ts";
import { migrate } from "./migrate.ts";
import { isAlive, isServerCommand } from "./processes.ts";
import { startPostgres, type RunningPostgres } from "./start-postgres.ts";
import { unprivilegedUser } from "./system-user.ts";

const isRoot = process.getuid?.() === 0;
const folders: string[] = [];
const servers: RunningPostgres[] = [];

function newFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, "fairtick-postgres-"));
  folders.push(folder);
  return folder;
}

async function start(options: Parameters<typeof startPostgres>[0]): Promise<RunningPostgres> {
  const server = await startPostgres(options);
  servers.push(server);
  return server;
}

async function ask<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row & pg.QueryResultRow>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Starts another process that runs a server in `folder`, like `npm start`. */
async function startElsewhere(
  folder: string,
): Promise<{ pid: number; url: string; holder: number; kill(): Promise<void> }> {
  const holder = spawn(process.execPath, [join(import.meta.dirname, "fixtures/hold-server.ts"), folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const line = await new Promise<string>((resolve, reject) => {
    holder.stdout.once("data", (chunk: Buffer) => {
      resolve(chunk.toString("utf8"));
    });
    holder.once("exit", () => {
      reject(new Error("the other process ended"));
    });
  });
  const ended = new Promise<void>((resolve) => {
    holder.once("exit", () => resolve());
  });
  return {
    ...JSON.parse(line),
    holder: holder.pid ?? 0,
    async kill() {
      holder.kill("SIGKILL");
      await ended;
    },
  };
}

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe("a server in a folder of its own", () => {
  let server: RunningPostgres;

  beforeAll(async () => {
    server = await startPostgres({ folder: newFolder() });
  });

  afterAll(() => server.stop());

  it("keeps every confirmed commit, and uses UTF-8 and byte order", async () => {
    const settings = await ask(
      server.url,
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
              current_setting('full_page_writes') AS pages, current_setting('server_encoding') AS encoding,
              (SELECT format('%s:%s', datlocprovider, datlocale) FROM pg_database WHERE datname = current_database()) AS locale`,
    );
    expect(settings).toEqual([{ fsync: "on", commit: "on", pages: "on", encoding: "UTF8", locale: "b:C.UTF-8" }]);
  });

  it("listens only on the loopback address, and asks everyone for a password", async () => {
    const url = new URL(server.url);
    url.searchParams.delete("host");
    expect(await ask(server.adminUrl, "SHOW listen_addresses")).toEqual([{ listen_addresses: "127.0.0.1" }]);
    url.password = "wrong";
    await expect(ask(url.toString(), "SELECT 1")).rejects.toThrow("password authentication failed");
  });

  it("is reachable through a socket in its folder, which also requires a password", async () => {
    const url = new URL(server.url);
    expect(url.searchParams.get("host")).toBe(server.folder);
    expect(await ask(server.url, "SELECT inet_client_addr() AS address")).toEqual([{ address: null }]);
    url.password = "wrong";
    await expect(ask(url.toString(), "SELECT 1")).rejects.toThrow("password authentication failed");
  });

  it("runs as a user other than root, and does not make the product a superuser", async () => {
    const uid = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1];
    expect(Number(uid)).toBeGreaterThan(0);
    expect(await ask(server.url, "SELECT rolsuper, rolcreaterole FROM pg_roles WHERE rolname = current_user")).toEqual([
      { rolsuper: false, rolcreaterole: true },
    ]);
  });

  it("applies migrations once, in order of their numbers, and keeps nothing of a failed one", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "0001_first.sql"), "CREATE TABLE first (id bigint);");
    writeFileSync(join(folder, "0002_second.sql"), "ALTER TABLE first ADD COLUMN name text;");
    expect(await migrate(server.url, folder)).toEqual(["0001_first", "0002_second"]);
    expect(await migrate(server.url, folder)).toEqual([]);
    writeFileSync(join(folder, "0003_third.sql"), "CREATE TABLE third (id bigint); SELECT 1/0;");
    await expect(migrate(server.url, folder)).rejects.toThrow("division by zero");
    expect(await ask(server.url, "SELECT to_regclass('third') AS third")).toEqual([{ third: null }]);
  });

  it.each([
    ["nothing listens there", (url: URL) => (url.port = "1"), "No PostgreSQL answers at 127.0.0.1:1/fairtick"],
    ["the password is wrong", (url: URL) => (url.password = "wrong"), "refuses the user or password of DATABASE_URL"],
    ["there is no such database", (url: URL) => (url.pathname = "/none"), "There is no such database"],
    ["it is not the address of a database", (url: URL) => (url.host = ""), "is no address of a PostgreSQL database"],
  ])("says what to do about DATABASE_URL when %s", async (_case, spoil, sentence) => {
    const url = new URL(server.url);
    url.searchParams.delete("host");
    spoil(url);
    const wrong = sentence.includes("no address") ? "mysql://127.0.0.1/fairtick" : url.toString();
    const problem = await checkDatabase(wrong).catch((error: unknown) => error);
    expect(problem).toMatchObject({ name: "PostgresProblem", message: expect.stringContaining(sentence) });
    expect(String(problem)).not.toContain(new URL(server.url).password);
  });
});

describe("a start", () => {
  it("stops the server that a killed start left behind, and keeps its confirmed commits", async () => {
    const folder = newFolder();
    const other = await startElsewhere(folder);
    await ask(other.url, "CREATE TABLE kept AS SELECT 42 AS answer");
    await other.kill();
    const said: string[] = [];
    const server = await start({ folder, say: (sentence) => said.push(sentence) });
    expect(said.join(" ")).toContain(`left over from a start that was killed (process ${other.pid})`);
    expect(isAlive(other.pid)).toBe(false);
    expect(await ask(server.url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
  });

  it("succeeds after the server itself was killed, while its shared memory still exists", async () => {
    const folder = newFolder();
    const first = await start({ folder });
    await ask(first.url, "CREATE TABLE kept AS SELECT 42 AS answer");
    process.kill(first.pid, "SIGKILL");
    await first.ended;
    const second = await start({ folder });
    expect(await ask(second.url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
    const sockets = readdirSync(second.folder).filter((name) => name.startsWith(".s.PGSQL."));
    expect(sockets.toSorted()).toEqual([`.s.PGSQL.${second.port}`, `.s.PGSQL.${second.port}.lock`]);
  });

  it("uses the loopback address if its folder's name is too long for a socket", async () => {
    const parent = newFolder();
    chmodSync(parent, 0o755);
    const server = await start({ folder: join(parent, "a".repeat(90)) });
    expect(new URL(server.url).search).toBe("");
    expect(await ask(server.url, "SELECT host(inet_client_addr()) AS address")).toEqual([{ address: "127.0.0.1" }]);
  });

  it("does not harm another program that has a dead server's process id", async () => {
    const folder = newFolder();
    const first = await startPostgres({ folder });
    const file = join(first.folder, "data/postmaster.pid");
    process.kill(first.pid, "SIGKILL");
    await first.ended;
    // It runs as the server's own user, because PostgreSQL takes any running process of that user for its predecessor.
    const stranger = spawn("sleep", ["60"], { ...unprivilegedUser(), cwd: tmpdir(), stdio: "ignore" });
    const ended = new Promise((resolve) => stranger.once("exit", resolve));
    writeFileSync(file, readFileSync(file, "utf8").replace(/^\d+/, String(stranger.pid)));
    const server = await start({ folder });
    expect(await ask(server.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(isAlive(stranger.pid ?? 0)).toBe(true);
    stranger.kill();
    await ended;
  });

  it("recognises its server by the command line if the system shows no working folder", async () => {
    const server = await start({ folder: newFolder() });
    const command = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    expect(isServerCommand(join(server.folder, "data"), command(server.pid))).toBe(true);
    expect(isServerCommand(join(server.folder, "dat"), command(server.pid))).toBe(false);
    expect(isServerCommand(join(server.folder, "data"), command(process.pid))).toBe(false);
  });

  it("refuses a folder that another start is using, without disturbing that start", async () => {
    const folder = newFolder();
    const other = await startElsewhere(folder);
    await expect(startPostgres({ folder })).rejects.toThrow(`running from ${folder} already (process ${other.holder})`);
    expect(await ask(other.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await other.kill();
    await start({ folder });
  });

  it("reports that a requested port is taken", async () => {
    const holder = createServer();
    const port = await new Promise<number>((resolve) => {
      holder.listen(0, "127.0.0.1", () => {
        const address = holder.address();
        resolve(address !== null && typeof address === "object" ? address.port : 0);
      });
    });
    await expect(startPostgres({ folder: newFolder(), port })).rejects.toThrow(
      `Port ${port} on this machine is in use`,
    );
    holder.close();
  });

  it("refuses data of another major version", async () => {
    const folder = newFolder();
    const server = await startPostgres({ folder });
    await server.stop();
    writeFileSync(join(folder, "data/PG_VERSION"), "16\n");
    await expect(startPostgres({ folder })).rejects.toThrow("was made by PostgreSQL 16, and this is PostgreSQL 18");
  });

  it("reports that the disk is full", () => {
    expect(() => checkFreeSpace(tmpdir(), 2n ** 80n)).toThrow("is full. Free some space there");
  });

  it.runIf(isRoot)("keeps its data where its user can reach it, and reports where", async () => {
    const closed = newFolder("/root");
    const said: string[] = [];
    const server = await start({ folder: join(closed, "postgres"), say: (sentence) => said.push(sentence) });
    folders.push(server.folder);
    expect(server.folder.startsWith(SYSTEM_FOLDER)).toBe(true);
    expect(said.join(" ")).toContain(`PostgreSQL's data is in ${server.folder}`);
    expect(existsSync(join(closed, "postgres"))).toBe(false);
  });
});

it("creates the library links that are missing after an install without scripts", () => {
  const binaries = findBinaries(unprivilegedUser(), () => undefined);
  const folder = newFolder();
  const native = join(binaries.postgres, "../..");
  cpSync(join(native, "pg-symlinks.json"), join(folder, "native/pg-symlinks.json"));
  cpSync(join(native, "lib"), join(folder, "native/lib"), { recursive: true, verbatimSymlinks: true });
  const link = join(folder, "native/lib/libicuuc.so.60");
  if (existsSync(link)) unlinkSync(link);
  hydrateLinks(folder);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(existsSync(link)).toBe(true);
});
