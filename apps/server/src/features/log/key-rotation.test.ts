import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock, Instant } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { waitUntil } from "@fairtick/testkit";
import {
  ED25519_TYPE,
  followRotations,
  formatSignerKey,
  openCheckpoint,
  parseVerifierKey,
  readRotations,
  signerKey,
  type VerifierPolicy,
} from "@fairtick/transparency";
import { afterEach, beforeEach, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { openLogFiles } from "./log-files.ts";
import { logVerifierKeys } from "./log-keys.ts";
import { readPublication } from "./log-store.ts";
import { OLDER_KEYS_STAY_MS } from "./register-key.ts";
import { startLog } from "./start-log.ts";

const ORIGIN = "test.example/log";
let context: TestContext;
let dataDir: string;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "key-rotation-"));
  context = await createTestContext({ dataDir, logOrigin: ORIGIN });
});
afterEach(async () => {
  await context.close();
  rmSync(dataDir, { recursive: true });
});

/** Runs the log's writer until it publishes a checkpoint of at least that size. Returns the checkpoint as served. */
async function writeUntil(size: number, clock: Clock = systemClock): Promise<string> {
  // Read first: the writer may publish before anything else gets its turn.
  const before = await readPublication(context.databases.reader);
  const log = await startLog({ ...context, clock });
  const { note } = await waitUntil(`a new checkpoint of ${size}`, async () => {
    const now = await readPublication(context.databases.reader);
    return now !== null && now.size >= size && now.note !== before?.note ? now : null;
  });
  await log.stop();
  return note;
}

async function addEntry(subject: string): Promise<void> {
  const entry = JSON.stringify({ at: 1, hash: "ab".repeat(32), kind: "approval", subject, v: 1 });
  await context.databases.jobs.query("INSERT INTO outbox (kind, entry) VALUES ('approval', $1)", [entry]);
}

it("leads verifiers that pinned the first key to the second, even after the first stopped signing", async () => {
  await writeUntil(1);
  const pinned: VerifierPolicy = {
    origin: ORIGIN,
    logKeys: logVerifierKeys(context.config).map((key) => parseVerifierKey(key)!),
    acceptanceKeys: [],
    witnessKeys: [],
    witnessesNeeded: 0,
  };
  const next = signerKey(ORIGIN, ED25519_TYPE, new Uint8Array(32).fill(7));
  writeFileSync(join(dataDir, "log", "keys", "log-2.key"), `${formatSignerKey(next)}\n`, { mode: 0o600 });
  const both = await writeUntil(2);
  expect(openCheckpoint(both, pinned).ok).toBe(true);

  await addEntry("a week later");
  const afterwards: Clock = { ...systemClock, now: () => (systemClock.now() + BigInt(OLDER_KEYS_STAY_MS)) as Instant };
  const alone = await writeUntil(3, afterwards);
  expect(openCheckpoint(alone, pinned)).toEqual({ ok: false, fault: "unsigned" });

  const rotations = await readRotations(await openLogFiles(join(dataDir, "log", "public")));
  const { policy, followed } = followRotations(nodeHashes, pinned, rotations);
  expect(followed).toMatchObject([{ role: "log", index: 1 }]);
  const opened = openCheckpoint(alone, policy);
  expect(opened.ok && opened.checkpoint.size).toBe(3);
});
