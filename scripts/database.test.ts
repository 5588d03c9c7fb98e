import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, type RunningPostgres, startPostgres } from "@fairtick/postgres";
import { readConfig } from "@fairtick/server";
import { createBuilder } from "@fairtick/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDatabase } from "./database.ts";

const folder = mkdtempSync(join(tmpdir(), "fairtick-start-"));
const PASSWORD = "one-login-for-all";
const TIMEOUT_MS = 120_000;
let servers: readonly RunningPostgres[] = [];
let dead = 0;
const before = process.env["DATABASE_URL"];

/**
 * Starts two servers with the same owner, password and database, like a primary and a standby. The first one is read-
 * only.
 */
beforeAll(async () => {
  servers = [
    await startPostgres({ folder: join(folder, "standby") }),
    await startPostgres({ folder: join(folder, "primary") }),
  ];
  for (const [place, server] of servers.entries()) {
    const owner = await createBuilder(server.url);
    const { username, pathname } = new URL(server.url);
    await owner.client.query(`ALTER ROLE ${username} PASSWORD '${PASSWORD}'`);
    if (place === 0)
      await owner.client.query(`ALTER DATABASE "${pathname.slice(1)}" SET default_transaction_read_only = on`);
    await owner.end();
  }
  dead = await freePort();
}, TIMEOUT_MS);

afterAll(async () => {
  if (before === undefined) delete process.env["DATABASE_URL"];
  else process.env["DATABASE_URL"] = before;
  for (const server of servers) await server.stop();
  for (const server of servers) rmSync(server.folder, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

function open(ports: readonly number[]) {
  const { username, pathname } = new URL(servers[0]!.url);
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(",");
  const url = `postgresql://${username}:${PASSWORD}@${hosts}${pathname}`;
  process.env["DATABASE_URL"] = url;
  const config = readConfig({ DATABASE_URL: url, DATA_DIR: folder });
  return openDatabase(config, { ending: new AbortController().signal, say: () => undefined });
}

async function migrationsAt({ port, url }: RunningPostgres): Promise<number> {
  const { username, pathname } = new URL(url);
  const owner = await createBuilder(`postgresql://${username}:${PASSWORD}@127.0.0.1:${port}${pathname}`);
  const { rows } = await owner.client.query<{ n: number }>(
    "SELECT count(*)::integer AS n FROM pg_tables WHERE tablename = 'migrations'",
  );
  await owner.end();
  return rows[0]?.n ?? 0;
}

it("starts on the host of a list that accepts writes, and says which", { timeout: TIMEOUT_MS }, async () => {
  const [standby, primary] = servers;
  const started = await open([dead, standby!.port, primary!.port]);
  expect(started.where).toMatch(
    new RegExp(`^PostgreSQL \\d+\\.\\d+ at 127\\.0\\.0\\.1:${primary!.port}/\\w+, the primary of 3 hosts$`),
  );
  // The processes get the whole list, because after a failover another host accepts writes.
  expect(new URL(started.url.replace(/@[^/]*/, "@one")).username).toBe(new URL(primary!.url).username);
  expect(started.url).toContain(`127.0.0.1:${dead},127.0.0.1:${standby!.port},127.0.0.1:${primary!.port}`);
  expect(await migrationsAt(primary!)).toBe(1);
  expect(await migrationsAt(standby!)).toBe(0);
});

it("says of each host of a list why it can't start there", { timeout: TIMEOUT_MS }, async () => {
  const [standby] = servers;
  await expect(open([dead, standby!.port])).rejects.toThrow(
    new RegExp(
      `^No host of DATABASE_URL takes writes\\. 127\\.0\\.0\\.1:${dead}: .*ECONNREFUSED.*; 127\\.0\\.0\\.1:${standby!.port}: it takes no writes`,
    ),
  );
});
