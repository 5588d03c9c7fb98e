import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPrimary, freePort, hostAddresses, type RunningPostgres, startPostgres } from "@fairtick/postgres";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "./database.ts";

const folder = mkdtempSync(join(tmpdir(), "fairtick-hosts-"));
/** The password on all hosts, since a standby has its primary's logins. */
const PASSWORD = "one-login-for-all";
const urls = new Map<RunningPostgres, string>();
let servers: RunningPostgres[];
let address: string;
let database: Database;

async function sql(server: RunningPostgres, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: urls.get(server) });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Simulates a failover as clients see it: another server takes writes, and connections to the old one end. */
async function letWrite(primary: RunningPostgres): Promise<void> {
  for (const server of servers) {
    const isReadOnly = server === primary ? "off" : "on";
    await sql(
      server,
      "SET default_transaction_read_only = off",
      `ALTER DATABASE "${new URL(server.url).pathname.slice(1)}" SET default_transaction_read_only = ${isReadOnly}`,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'fairtick %'",
    );
  }
}

beforeAll(async () => {
  servers = await Promise.all(["one", "two"].map((name) => startPostgres({ folder: join(folder, name) })));
  const { username, pathname } = new URL(servers[0]!.url);
  for (const server of servers) {
    urls.set(server, server.url);
    await sql(
      server,
      "CREATE ROLE fairtick_reader",
      "GRANT fairtick_reader TO CURRENT_USER",
      `ALTER ROLE ${username} PASSWORD '${PASSWORD}'`,
    );
    urls.set(server, `postgresql://${username}:${PASSWORD}@127.0.0.1:${server.port}${pathname}`);
  }
  const hosts = [await freePort(), ...servers.map(({ port }) => port)].map((port) => `127.0.0.1:${port}`);
  address = `postgresql://${username}:${PASSWORD}@${hosts.join(",")}${pathname}`;
  database = openDatabase({ url: `${address}?target_session_attrs=read-write`, role: "reader", max: 2 });
});

afterAll(async () => {
  await database.end();
  for (const server of servers) await server.stop();
  for (const server of servers) rmSync(server.folder, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

const portInUse = async () => {
  const [row] = await database.query<{ port: number }>("SELECT inet_server_port() AS port");
  return row?.port;
};

describe("a database of several hosts", () => {
  it("is used at the host that takes writes, skipping hosts that don't answer", async () => {
    await letWrite(servers[0]!);
    await expect.poll(portInUse).toBe(servers[0]!.port);
  });

  it("is followed to another host after a failover by pools that stay open", async () => {
    await letWrite(servers[1]!);
    await expect.poll(() => portInUse().catch(() => null)).toBe(servers[1]!.port);
    expect(await database.query("SELECT current_user AS user")).toEqual([{ user: "fairtick_reader" }]);
  });

  it("is refused with each host's reason if no host takes writes", async () => {
    await letWrite(null as never);
    await expect(findPrimary(`${address}?connect_timeout=2`)).rejects.toThrow(
      /^No host of DATABASE_URL takes writes\. 127\.0\.0\.1:\d+: .*ECONNREFUSED.*; .*: it takes no writes \(a standby\?\); .*: it takes no writes/,
    );
    await letWrite(servers[0]!);
  });
});

it.each([
  ["postgresql://me:a,b@one:5432/fairtick?x=1", ["postgresql://me:a,b@one:5432/fairtick?x=1"]],
  [
    "postgresql://me:pw@one:5432,two/fairtick?target_session_attrs=read-write&sslmode=require",
    ["postgresql://me:pw@one:5432/fairtick?sslmode=require", "postgresql://me:pw@two/fairtick?sslmode=require"],
  ],
  ["postgres://one,[::1]:5433/fairtick", ["postgres://one/fairtick", "postgres://[::1]:5433/fairtick"]],
])("%s names %j", (address_, hosts) => {
  expect(hostAddresses(address_)).toEqual(hosts);
});
