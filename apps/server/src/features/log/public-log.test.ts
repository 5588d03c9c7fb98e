import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { canonicalJson, toHex, utf8 } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import {
  type Checkpoint,
  edgeRoot,
  EMPTY_LOG,
  growLog,
  type LogPolicy,
  openCheckpoint,
  openTileTree,
  parseVerifierKey,
  readEntries,
  verifyConsistency,
} from "@fairtick/transparency";
import { waitUntil } from "@fairtick/testkit";
import { type RunningWitness, startWitness } from "@fairtick/transparency/cli";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { logVerifierKeys } from "./log-keys.ts";
import { openLogFiles } from "./log-files.ts";
import { READ_OUTBOX, readPublication } from "./log-store.ts";
import { readKeys } from "./register-key.ts";
import { type RunningLog, startLog } from "./start-log.ts";

let context: TestContext;
let dataDir: string;
const running: RunningLog[] = [];

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "public-log-"));
  context = await createTestContext({ dataDir, logOrigin: "test.example/log" });
});
afterEach(async () => {
  for (const log of running.splice(0)) await log.stop();
  await context.close();
  rmSync(dataDir, { recursive: true });
});

async function start(onTrouble?: (reason: string | undefined) => void): Promise<RunningLog> {
  const log = await startLog({ ...context, clock: systemClock }, onTrouble);
  running.push(log);
  return log;
}

let made = 0;
function entryText(): string {
  made += 1;
  return canonicalJson({ at: made, hash: "ab".repeat(32), kind: "approval", subject: `subject ${made}`, v: 1 });
}

async function addEntries(count: number): Promise<void> {
  await context.databases.jobs.query("INSERT INTO outbox (kind, entry) SELECT 'approval', unnest($1::text[])", [
    Array.from({ length: count }, entryText),
  ]);
}

async function policy(): Promise<LogPolicy> {
  const keys = (await readKeys(context.databases.reader)).filter((each) => each.role === "log");
  return {
    origin: "test.example/log",
    logKeys: keys.flatMap(({ key }) => parseVerifierKey(key) ?? []),
    witnessKeys: [],
  };
}

/** Waits for a published checkpoint of at least that size. */
async function published(size: number): Promise<Checkpoint> {
  const note = await waitUntil(`a checkpoint of ${size}`, async () => {
    const now = await readPublication(context.databases.reader);
    return now !== null && now.size >= size ? now.note : null;
  });
  const opened = openCheckpoint(note, await policy());
  if (!opened.ok) throw new Error(opened.fault);
  return opened.checkpoint;
}

async function outboxTexts(): Promise<string[]> {
  const rows = await context.databases.jobs.query<{ entry: string }>(
    "SELECT o.entry FROM log_entries l JOIN outbox o USING (outbox_id) ORDER BY log_index",
  );
  return rows.map((row) => row.entry);
}

async function filedTexts(size: number): Promise<string[]> {
  const files = await openLogFiles(join(dataDir, "log", "public"));
  const texts: string[] = [];
  for (let bundle = 0; bundle * 256 < size; bundle += 1) {
    for (const bytes of await readEntries(files, size, bundle)) texts.push(new TextDecoder().decode(bytes));
  }
  return texts;
}

/** Expects checkpoint, tiles, bundles and tables to agree. */
async function expectWhole({ size, root }: Checkpoint): Promise<void> {
  const texts = (await outboxTexts()).slice(0, size);
  expect(await filedTexts(size)).toEqual(texts);
  expect(toHex(edgeRoot(nodeHashes, growLog(nodeHashes, EMPTY_LOG, texts.map(utf8)).log.tree))).toEqual(toHex(root));
  const files = await openLogFiles(join(dataDir, "log", "public"));
  expect(toHex(await openTileTree(nodeHashes, files, size).root())).toBe(toHex(root));
}

describe("the writer", () => {
  it("publishes the outbox's entries in order, and each checkpoint extends the last", async () => {
    await addEntries(3);
    await start();
    const first = await published(4);
    await addEntries(700);
    const second = await published(first.size + 700);
    await expectWhole(second);
    const files = await openLogFiles(join(dataDir, "log", "public"));
    const proof = await openTileTree(nodeHashes, files, second.size).consistencyProof(first.size);
    const claim = { oldSize: first.size, oldRoot: first.root, newSize: second.size, newRoot: second.root, proof };
    expect(verifyConsistency(nodeHashes, claim)).toBe(true);
    expect(JSON.parse((await outboxTexts())[3]!)).toMatchObject({ kind: "key.rotate", role: "log" });
  });

  it("reports a period without a writer, and one without a checkpoint", async () => {
    const incidents = async () =>
      (await outboxTexts()).map((text) => JSON.parse(text)).filter(({ kind }) => kind === "incident");
    await addEntries(1);
    const log = await start();
    const first = await published(2);
    const setBack = async (ms: number) => {
      const [row] = await context.databases.log.query<{ covers_at: bigint }>(
        "UPDATE log_published SET covers_at = covers_at - $1::bigint RETURNING covers_at",
        [ms],
      );
      return Number(row?.covers_at);
    };
    running.splice(0);
    await log.stop();
    await setBack(9_000);
    const short = await start();
    await addEntries(1);
    await published(first.size + 1);
    expect(await incidents()).toEqual([]);
    running.splice(0);
    await short.stop();
    const from = await setBack(120_000);
    await start();
    const told = await waitUntil("the incident", async () => (await incidents())[0] ?? null);
    expect(told).toMatchObject({ from, part: "house", reason: "nobody wrote the log: the house was down", v: 1 });
    expect([told.at, told.to - from > 120_000, told.to - from < 130_000]).toEqual([told.to, true, true]);
    expect(await incidents()).toHaveLength(1);
  });

  it("reports a period in which it ran but couldn't publish", { timeout: 40_000 }, async () => {
    await addEntries(1);
    await start();
    await published(2);
    const coversAt = async () => Number((await readPublication(context.databases.reader))?.coversAt);
    const holder = new pg.Client(context.database.url);
    await holder.connect();
    await holder.query("BEGIN; LOCK TABLE log_published IN EXCLUSIVE MODE");
    const stoodAt = await coversAt();
    await sleep(11_500);
    expect(await coversAt()).toBe(stoodAt);
    await holder.query("COMMIT");
    await holder.end();
    const incidents = async () =>
      (await outboxTexts()).map((text) => JSON.parse(text)).filter(({ kind }) => kind === "incident");
    const told = await waitUntil("the incident", async () => (await incidents())[0] ?? null);
    expect(told).toMatchObject({ at: told.to, part: "log", reason: "no checkpoint was published", v: 1 });
    // The checkpoint that was being stored when the table was locked counts as published once it is stored.
    expect([told.from >= stoodAt, told.from < stoodAt + 3_000]).toEqual([true, true]);
    expect([told.to - told.from > 10_000, told.to - told.from < 25_000]).toEqual([true, true]);
    // It goes on, and reports the same pause only once.
    await waitUntil("three more checkpoints", async () => (await coversAt()) > told.to + 3_000 || null);
    expect(await incidents()).toHaveLength(1);
  });

  it("gives a place to a row whose transaction ends late, and none to one that was rolled back", async () => {
    const slow = new pg.Client(context.database.url);
    const broken = new pg.Client(context.database.url);
    await Promise.all([slow.connect(), broken.connect()]);
    const insert = (client: pg.Client, text: string) =>
      client.query("INSERT INTO outbox (kind, entry) VALUES ('approval', $1)", [text]);
    const [late, never] = [entryText(), entryText()];
    await slow.query("BEGIN");
    await insert(slow, late);
    await broken.query("BEGIN");
    await insert(broken, never);
    await addEntries(2);
    await start();
    const { size } = await published(3);
    await broken.query("ROLLBACK");
    await slow.query("COMMIT");
    const after = await published(size + 1);
    await Promise.all([slow.end(), broken.end()]);
    const texts = await outboxTexts();
    expect(texts).toContain(late);
    expect(texts).not.toContain(never);
    expect(texts.length).toBe(after.size);
    await expectWhole(after);
  });

  it("reads only new entries, however long the log is", async () => {
    await context.databases.jobs.query(
      "INSERT INTO outbox (kind, entry) SELECT 'approval', 'old' FROM generate_series(1, 60000)",
    );
    await context.databases.log.query(
      "INSERT INTO log_entries (log_index, outbox_id, number, kind, about) SELECT outbox_id - 1, outbox_id, 0, 'approval', '' FROM outbox",
    );
    await addEntries(3);
    const connection = await context.databases.log.connection();
    await connection.query("SET plan_cache_mode = force_generic_plan");
    await connection.query(`PREPARE reading AS ${READ_OUTBOX}`);
    const plan = await connection.query<{ "QUERY PLAN": string }>(
      "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) EXECUTE reading(59990, 500)",
    );
    connection.release();
    const lines = plan.map((row) => row["QUERY PLAN"]);
    expect(lines.filter((line) => line.includes("Seq Scan"))).toEqual([]);
    const [, pages = "0"] = /Buffers: shared hit=([0-9]+)/.exec(lines.join("\n")) ?? [];
    expect(Number(pages)).toBeGreaterThan(0);
    expect(Number(pages)).toBeLessThan(100);
  });

  it("is a single one at a time, and another takes over after it has stopped", async () => {
    const one = await start();
    await published(1);
    const other = await start();
    await addEntries(1);
    await published(2);
    const [before] = await context.databases.reader.query<{ epoch: bigint }>("SELECT epoch FROM log_writer");
    running.splice(0);
    await one.stop();
    await addEntries(1);
    await expectWhole(await published(3));
    const [after] = await context.databases.reader.query<{ epoch: bigint }>("SELECT epoch FROM log_writer");
    await other.stop();
    expect(after!.epoch).toBe(before!.epoch + 1n);
  });

  it("announces a second key, and signs with both", async () => {
    const log = await start();
    await published(1);
    running.splice(0);
    await log.stop();
    const folder = join(dataDir, "log", "keys");
    const { openKeyFile } = await import("../../platform/key-file.ts");
    openKeyFile(join(folder, "log-2.key"), "test.example/log", 1);
    await start();
    await published(2);
    const { logKeys, ...rest } = await policy();
    expect(logKeys.length).toBe(2);
    const note = (await readPublication(context.databases.reader))!.note;
    const opens = logKeys.map((key) => openCheckpoint(note, { ...rest, logKeys: [key] }).ok);
    expect(opens).toEqual([true, true]);
  });
});

describe("a writer that was killed", () => {
  async function runChild(crashAt: string): Promise<{ signal: string | null; said: string }> {
    const env = {
      PATH: process.env["PATH"],
      DATABASE_URL: context.database.url,
      DATA_DIR: dataDir,
      LOG_LEVEL: "silent",
      LOG_ORIGIN: "test.example/log",
      FAIRTICK_CRASH_AT: crashAt,
    };
    const child = spawn(process.execPath, [join(import.meta.dirname, "log-child.ts")], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (bytes: Buffer) => (said += bytes.toString("utf8")));
    return new Promise((resolve) => {
      child.on("exit", (_code, signal) => resolve({ signal, said }));
    });
  }

  it.each(["log.placed", "log.tiled", "log.bound", "log.signed"])(
    "at %s is replaced by one that continues without a second root",
    async (point) => {
      await addEntries(300);
      expect((await runChild(point)).signal).toBe("SIGKILL");
      await addEntries(300);
      // The dead writer's lease has to run out first.
      await context.databases.log.query("UPDATE log_writer SET lease_until = 0");
      expect((await runChild(point)).signal).toBe("SIGKILL");
      await context.databases.log.query("UPDATE log_writer SET lease_until = 0");
      await addEntries(1);
      await start();
      const checkpoint = await published(602);
      await expectWhole(checkpoint);
      const bound = await context.databases.reader.query<{ size: bigint; root: Uint8Array }>(
        "SELECT size, root FROM log_checkpoints",
      );
      const texts = (await outboxTexts()).map(utf8);
      for (const { size, root } of bound) {
        const { log } = growLog(nodeHashes, EMPTY_LOG, texts.slice(0, Number(size)));
        expect(toHex(root)).toBe(toHex(edgeRoot(nodeHashes, log.tree)));
      }
    },
  );

  it("rebuilds its files from the tables if they are lost", async () => {
    await addEntries(600);
    const log = await start();
    const before = await published(601);
    running.splice(0);
    await log.stop();
    rmSync(join(dataDir, "log", "public"), { recursive: true });
    await start();
    await addEntries(1);
    const after = await published(602);
    await expectWhole(after);
    expect(before.size).toBe(601);
  });
});

describe("a log with a witness", () => {
  const args = () => {
    const [key = ""] = logVerifierKeys(context.config);
    return ["--folder", join(dataDir, "witness"), "--log", key, "--name", "second.example/w"];
  };
  async function openWitness(port = "0"): Promise<RunningWitness> {
    const witness = await startWitness([...args(), "--port", port]);
    if (witness === null) throw new Error("no witness");
    return witness;
  }

  it("shows only what was cosigned: it pauses while the witness is away and continues once they are back", async () => {
    let witness = await openWitness();
    const port = new URL(witness.url).port;
    context = Object.assign(context, {
      config: { ...context.config, witnesses: [{ url: witness.url, key: witness.key }] },
    });
    await addEntries(3);
    await start();
    const first = await published(4);
    await witness.close();
    await addEntries(3);
    await waitUntil("a signed checkpoint", async () => {
      const now = await readPublication(context.databases.reader);
      return now !== null && now.signedSize >= first.size + 3 ? now : null;
    });
    const away = (await readPublication(context.databases.reader))!;
    expect(away.size).toBe(first.size);
    expect(away.witnesses[0]).toMatchObject({ name: "second.example/w", size: first.size });
    witness = await openWitness(port);
    const later = await published(first.size + 3);
    await witness.close();
    const witnessKeys = [parseVerifierKey(witness.key)!];
    const { note } = (await readPublication(context.databases.reader))!;
    const opened = openCheckpoint(note, { ...(await policy()), witnessKeys });
    expect(opened.ok && opened.witnesses.length).toBe(1);
    expect(later.size).toBeGreaterThan(first.size);
  });

  it("gets no cosignature for another history under the same key", async () => {
    const witness = await openWitness();
    context = Object.assign(context, {
      config: { ...context.config, witnesses: [{ url: witness.url, key: witness.key }] },
    });
    await addEntries(20);
    const log = await start();
    const first = await published(21);
    running.splice(0);
    await log.stop();
    // Another database and other files with the same keys: this is how a house would fork its log for one reader.
    const elsewhere = await createTestContext({ ...context.config });
    rmSync(join(dataDir, "log", "public"), { recursive: true });
    await elsewhere.databases.jobs.query("INSERT INTO outbox (kind, entry) SELECT 'approval', unnest($1::text[])", [
      Array.from({ length: 30 }, entryText),
    ]);
    const fork = await startLog({ ...elsewhere, clock: systemClock });
    await waitUntil(
      "a signed fork",
      async () => ((await readPublication(elsewhere.databases.reader))?.signedSize ?? 0) > 30 || null,
    );
    expect((await readPublication(elsewhere.databases.reader))!).toMatchObject({ size: 0, note: "" });
    await fork.stop();
    await elsewhere.close();
    await witness.close();
    expect(first.size).toBe(21);
  });
});

describe("a log that contradicts itself", () => {
  async function superuser(...statements: string[]): Promise<void> {
    const client = new pg.Client(context.database.url);
    await client.connect();
    await client.query("SET session_replication_role = replica").catch(() => undefined);
    for (const statement of statements) await client.query(statement);
    await client.end();
  }

  async function stopped(size: number): Promise<string> {
    const log = await start();
    await published(size);
    running.splice(0);
    await log.stop();
    return (await readPublication(context.databases.reader))!.note;
  }

  async function trouble(): Promise<string> {
    let reason: string | undefined;
    await start((told) => (reason = told ?? reason));
    return waitUntil("the writer's halt", () => reason ?? null);
  }

  it("is not signed after its tables were rolled back", async () => {
    await addEntries(5);
    await stopped(6);
    await superuser(
      "ALTER TABLE log_checkpoints DISABLE TRIGGER USER",
      "ALTER TABLE log_entries DISABLE TRIGGER USER",
      "DELETE FROM log_checkpoints",
      "DELETE FROM log_entries WHERE log_index >= 2",
      "UPDATE log_writer SET size = 2",
    );
    expect(await trouble()).toContain("they were rolled back");
  });

  it("is signed no more once its tables are rolled back under the running writer, which knows of nothing new", async () => {
    const told: (string | undefined)[] = [];
    await start((reason) => told.push(reason));
    const { size } = await published(1);
    const { note } = (await readPublication(context.databases.reader))!;
    await addEntries(5);
    await published(size + 5);
    // In one transaction, as if the database had been exchanged for an older copy between two checkpoints.
    const tables = ["log_checkpoints", "log_entries", "outbox"];
    await superuser(
      [
        "BEGIN",
        ...tables.map((table) => `ALTER TABLE ${table} DISABLE TRIGGER USER`),
        `DELETE FROM log_checkpoints WHERE size > ${size}`,
        `DELETE FROM outbox WHERE outbox_id IN (SELECT outbox_id FROM log_entries WHERE log_index >= ${size})`,
        `DELETE FROM log_entries WHERE log_index >= ${size}`,
        `UPDATE log_writer SET size = ${size}`,
        `UPDATE log_published SET size = ${size}, note = '${note}'`,
        "COMMIT",
      ].join(";"),
    );
    const halt = await waitUntil("the writer's halt", () => told.find((reason) => reason !== undefined) ?? null);
    expect(halt).toBe(`halted: ${size + 5} entries were placed, the tables know of ${size}: they were rolled back`);
    expect((await readPublication(context.databases.reader))!.note).toBe(note);
  });

  it("is not signed after a published entry was changed", async () => {
    await addEntries(5);
    const note = await stopped(6);
    await superuser(
      "ALTER TABLE outbox DISABLE TRIGGER USER",
      "UPDATE outbox SET entry = replace(entry, 'subject', 'object') WHERE outbox_id = 3",
    );
    cpSync(join(dataDir, "log", "public", "checkpoint"), join(dataDir, "checkpoint"));
    rmSync(join(dataDir, "log", "public"), { recursive: true });
    expect(await trouble()).toContain("are not those that were signed");
    expect((await readPublication(context.databases.reader))!.note).toBe(note);
  });

  it("never gets a second root for one size", async () => {
    await addEntries(5);
    await stopped(6);
    await superuser(
      "ALTER TABLE log_checkpoints DISABLE TRIGGER USER",
      "UPDATE log_checkpoints SET root = sha256('another')",
    );
    expect(await trouble()).toContain("halted");
  });
});
