import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "@fairtick/postgres";
import { callNode, depositXpub, startTestChain, type TestChain } from "@fairtick/test-chain";
import { createBuilder, createTestDatabase, type Builder, type TestDatabase } from "@fairtick/testkit";
import { findTool } from "@fairtick/testkit/system-tool";
import { afterAll, beforeAll, expect, it } from "vitest";
import { natsChannel } from "../platform/bus-nats.ts";
import { systemClock } from "../platform/clock.ts";
import { createHealth } from "../platform/health.ts";
import { createLog } from "../platform/log.ts";
import { createTestContext } from "../platform/test-context.ts";
import { startLog } from "../features/log/index.ts";
import { runServer, type RunningServer } from "../testing/running-server.ts";
import { startTestBeacon, type TestBeacon } from "../testing/test-beacon.ts";

// Every part in these tests is real, has its own process and is really killed.

const TIMEOUT_MS = 90_000;
const SIGNER = resolve(import.meta.dirname, "../../../signer/src/main.ts");
const SERVER = resolve(import.meta.dirname, "server.ts");
const MARKET = resolve(import.meta.dirname, "market.ts");
/** How each process is started. */
const NODE = {
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
  NODE_OPTIONS: process.env["NODE_OPTIONS"],
};
const SECRET = "a secret of at least thirty-two letters";

let folder: string;
let database: TestDatabase;
let builder: Builder;
let server: RunningServer;
let chain: TestChain;
let chainPort: number;
let beacon: TestBeacon;
let market: ChildProcess;
let signer: ChildProcess;
let signerEnvironment: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fairtick-health-"));
  database = await createTestDatabase();
  builder = await createBuilder(database.url);
  await beginChain();
  chainPort = Number(new URL(chain.url).port);
  const genesis = (await callNode(chain.url, "eth_getBlockByNumber", ["0x0", false])) as { readonly hash: string };
  const payable = {
    chain: String(chain.chainId),
    genesis: genesis.hash,
    token: chain.tokens.noReturn,
    nodes: [chain.url],
  };
  const xpub = depositXpub(join(folder, "signer"));
  signerEnvironment = {
    SIGNER_PORT: String(await freePort()),
    SIGNER_SECRET: SECRET,
    SIGNER_FOLDER: join(folder, "signer"),
    SIGNER_RULES: JSON.stringify({ chains: [payable] }),
  };
  await beginSigner();
  const settings = {
    DATA_DIR: join(folder, "data"),
    WITNESSES: "[]",
    DEPOSIT_XPUB: xpub,
    CHAINS: JSON.stringify([
      {
        chain: "test",
        name: "Test chain",
        url: chain.url,
        token: chain.tokens.noReturn,
        confirmations: 2,
        minimum: "5",
        mayStartAnew: true,
      },
    ]),
    SIGNER_URL: `http://127.0.0.1:${signerEnvironment["SIGNER_PORT"]}`,
    SIGNER_SECRET: SECRET,
  };
  server = await runServer(database, settings);
  beacon = await startTestBeacon(folder, systemClock);
  beginMarket();
}, TIMEOUT_MS);

afterAll(async () => {
  market.kill("SIGKILL");
  signer.kill("SIGKILL");
  await server.stop();
  await beacon.end();
  await chain.stop();
  await builder.end();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function beginChain(): Promise<void> {
  chain = await startTestChain({
    folder: join(folder, "chain"),
    onError: () => undefined,
    ...(chainPort > 0 && { port: chainPort }),
  });
}

async function beginSigner(): Promise<void> {
  signer = fork(SIGNER, [], { env: { ...NODE, ...signerEnvironment } });
  const [told] = (await once(signer, "message")) as [{ kind: string }];
  expect(told.kind).toBe("ready");
}

function beginMarket(): void {
  const env = {
    ...NODE,
    ...beacon.environment,
    DATABASE_URL: database.url,
    DATA_DIR: join(folder, "data"),
    LOG_LEVEL: "silent",
  };
  market = fork(MARKET, [], { env, serialization: "advanced" });
}

interface Answer {
  readonly status: number;
  readonly ready: boolean;
  readonly accepting: boolean;
  readonly degraded: readonly { readonly part: string; readonly since: string; readonly cause: string }[];
}

async function health(): Promise<Answer> {
  const answer = await fetch(`${server.base}/health/ready`);
  return { status: answer.status, ...((await answer.json()) as Omit<Answer, "status">) };
}
const causeOf = async (part: string) => (await health()).degraded.find((each) => each.part === part)?.cause;
async function untilCause(part: string, cause: RegExp): Promise<void> {
  await expect.poll(() => causeOf(part), { timeout: 20_000, message: part }).toMatch(cause);
}
async function untilWell(): Promise<void> {
  await expect.poll(health, { timeout: 40_000 }).toEqual(WELL);
}
const WELL = { status: 200, ready: true, accepting: true, degraded: [] };

it("says that no price comes, and accepts orders again once one does", { timeout: TIMEOUT_MS }, async () => {
  await untilWell();
  market.kill("SIGKILL");
  await untilCause("prices", /^no price of any instrument for more than 5 s/);
  await untilCause("market", /^no seal has moved/);
  expect(await health()).toMatchObject({ status: 200, ready: true, accepting: false });
  beginMarket();
  await untilWell();
});

it("names a beacon that is away, and accepts orders again once it answers", { timeout: TIMEOUT_MS }, async () => {
  await untilWell();
  await beacon.end();
  await untilCause("beacon", /^the randomness beacon does not answer: no round from \d+ on, so there are no simulated/);
  await untilCause("prices", /^no price of any instrument for more than 5 s/);
  expect(await health()).toMatchObject({ status: 200, ready: true, accepting: false });
  await beacon.begin();
  await untilWell();
});

it("names a signer that was killed, while orders continue", { timeout: TIMEOUT_MS }, async () => {
  await untilWell();
  signer.kill("SIGKILL");
  await untilCause("signer", /^the signer does not answer: withdrawals wait$/);
  expect(await health()).toMatchObject({ status: 200, ready: true, accepting: true });
  await beginSigner();
  await untilWell();
});

it("names a chain whose node was killed and since when, and recovers", { timeout: TIMEOUT_MS }, async () => {
  await untilWell();
  const before = Date.now();
  process.kill(chain.pid, "SIGKILL");
  await untilCause("chain test", /^its node does not answer as it should, so deposits and withdrawals wait$/);
  const { degraded, accepting } = await health();
  expect(accepting).toBe(true);
  const since = Date.parse(degraded.find(({ part }) => part === "chain test")?.since ?? "");
  expect(since).toBeGreaterThanOrEqual(before);
  expect(since).toBeLessThanOrEqual(Date.now());
  await beginChain();
  await untilWell();
});

it("is not ready while the database refuses it, and recovers", { timeout: TIMEOUT_MS }, async () => {
  await untilWell();
  const admin = await createBuilder(database.adminUrl);
  const name = new URL(database.url).pathname.slice(1);
  try {
    await admin.client.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
    await admin.client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name LIKE 'fairtick %'",
      [name],
    );
    await untilCause("database", /^PostgreSQL does not answer/);
    expect(await health()).toMatchObject({ status: 503, ready: false, accepting: false });
    expect((await fetch(`${server.base}/health/live`)).status).toBe(200);
  } finally {
    await admin.client.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
    await admin.end();
  }
  await untilWell();
});

it.each([
  [
    "a missing table",
    "ALTER TABLE favourites RENAME TO elsewhere",
    "ALTER TABLE elsewhere RENAME TO favourites",
    /no table favourites/,
  ],
  [
    "a missing right",
    "REVOKE SELECT ON favourites FROM fairtick_reader",
    "GRANT SELECT ON favourites TO fairtick_reader",
    /fairtick_reader may not SELECT in favourites/,
  ],
  [
    "a changed column",
    "ALTER TABLE favourites RENAME COLUMN symbol TO sign",
    "ALTER TABLE favourites RENAME COLUMN sign TO symbol",
    /columns of favourites changed/,
  ],
  [
    "a migration of a newer program",
    "INSERT INTO migrations (name, run_on) VALUES ('9999_later', now())",
    "DELETE FROM migrations WHERE name = '9999_later'",
    /newer than this program \(migration 9999_later\)/,
  ],
])("is not ready with %s, and recovers", { timeout: TIMEOUT_MS }, async (_what, breaks, mends, cause) => {
  await untilWell();
  await builder.client.query(breaks);
  await untilCause("schema", cause);
  expect(await health()).toMatchObject({ status: 503, ready: false, accepting: false });
  await builder.client.query(mends);
  await untilWell();
});

it("names an epoch of the simulated market that was skipped", { timeout: TIMEOUT_MS }, async () => {
  await untilWell();
  const epoch = "SELECT epoch, start_at FROM sm1_epochs WHERE start_at IS NOT NULL ORDER BY epoch LIMIT 1";
  const [first] = (await builder.client.query<{ epoch: string; start_at: string }>(epoch)).rows;
  await builder.client.query("UPDATE sm1_epochs SET start_at = NULL WHERE epoch = $1", [first?.epoch]);
  await untilCause("epochs", /^epoch 1 of the simulated market was committed to and skipped/);
  expect((await health()).ready).toBe(true);
  await builder.client.query("UPDATE sm1_epochs SET start_at = $2 WHERE epoch = $1", [first?.epoch, first?.start_at]);
  await untilWell();
  // Pretend that the epoch before it ended half a minute before this one began.
  await builder.client.query(
    "INSERT INTO sm1_epochs (epoch, params_hash, commit, mix, start_at, seed, starts_from, digests) SELECT epoch - 1, params_hash, commit, mix, start_at - 631000, commit, '{}', '{}' FROM sm1_epochs WHERE epoch = $1",
    [first?.epoch],
  );
  await untilCause(
    "epochs",
    /^epoch 1 of the simulated market began 31000 ms late, and no incident in the public log says why/,
  );
  await builder.client.query("DELETE FROM sm1_epochs WHERE epoch < $1", [first?.epoch]);
  await untilWell();
});

it("names NATS while it is away", { timeout: TIMEOUT_MS }, async () => {
  const program = "/usr/sbin/nats-server";
  expect(findTool({ name: "NATS", path: program, packages: ["nats-server"] })).toEqual({ ok: true });
  const port = String(await freePort());
  const begin = () => spawn(program, ["--addr", "127.0.0.1", "--port", port], { stdio: "ignore" });
  let nats = begin();
  const told = createHealth(systemClock);
  const url = `nats://127.0.0.1:${port}`;
  const connect = () =>
    natsChannel(url, createLog("test", "silent"), (cause) => told.set("bus", cause)).catch(() => null);
  const channel = await expect.poll(connect, { timeout: 20_000 }).not.toBeNull().then(connect);
  nats.kill("SIGKILL");
  await expect
    .poll(() => told.troubles()[0]?.cause, { timeout: 20_000 })
    .toMatch(/^NATS at 127\.0\.0\.1 does not answer/);
  nats = begin();
  await expect.poll(() => told.troubles(), { timeout: 20_000 }).toEqual([]);
  await channel?.close();
  nats.kill("SIGKILL");
});

it("says in /health/ready that NATS is away, and recovers", { timeout: 2 * TIMEOUT_MS }, async () => {
  const port = String(await freePort());
  const begin = () => spawn("/usr/sbin/nats-server", ["--addr", "127.0.0.1", "--port", port], { stdio: "ignore" });
  let nats = begin();
  const url = `nats://127.0.0.1:${port}`;
  await expect
    .poll(
      () =>
        natsChannel(url, createLog("test", "silent"), () => undefined).then(
          (it) => it.close(),
          () => "none",
        ),
      {
        timeout: 20_000,
      },
    )
    .toBeUndefined();
  const env = {
    ...NODE,
    DATABASE_URL: database.url,
    DATA_DIR: join(folder, "data"),
    PORT: String(await freePort()),
    CONSOLE_PORT: "0",
    WITNESSES: "[]",
    LOG_LEVEL: "silent",
    NATS_URL: url,
  };
  // Start the real process, since it opens its bus before its role starts.
  const second = fork(SERVER, [], { env, serialization: "advanced" });
  const busOf = async (): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${env.PORT}/health/ready`).catch(() => null);
    if (answer === null) return "not there yet";
    const { degraded } = (await answer.json()) as Omit<Answer, "status">;
    return degraded.find(({ part }) => part === "bus")?.cause ?? "well";
  };
  try {
    await expect.poll(busOf, { timeout: 60_000 }).toBe("well");
    nats.kill("SIGKILL");
    await expect.poll(busOf, { timeout: 20_000 }).toMatch(/^NATS at 127\.0\.0\.1 does not answer/);
    nats = begin();
    await expect.poll(busOf, { timeout: 20_000 }).toBe("well");
  } finally {
    second.kill("SIGKILL");
    nats.kill("SIGKILL");
  }
});

it("forgets that the log could not be written once another server writes it", { timeout: TIMEOUT_MS }, async () => {
  const context = await createTestContext({ logOrigin: "two.example/log", witnesses: [] });
  const told: (string | undefined)[] = [];
  const first = await startLog({ ...context, clock: systemClock }, (reason) => told.push(reason));
  await expect.poll(() => told, { timeout: 10_000 }).toContain(undefined);
  const owner = await createBuilder(context.database.url);
  await owner.client.query("REVOKE UPDATE ON log_writer FROM fairtick_log");
  await expect.poll(() => told, { timeout: 10_000 }).toContain("it could not be written");
  // Another server takes the log as soon as that is possible again.
  await owner.client.query("UPDATE log_writer SET epoch = epoch + 1, lease_until = 9000000000000000");
  await owner.client.query("GRANT UPDATE ON log_writer TO fairtick_log");
  await owner.end();
  await expect.poll(() => told.at(-1), { timeout: 10_000 }).toBeUndefined();
  await first.stop();
  await context.close();
});
