import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canonicalJson } from "@fairtick/domain";
import { waitUntil } from "@fairtick/testkit";
import { parseCheckpoint, parseNote, parseVerifierKey, verifyTimeless } from "@fairtick/transparency";
import { type RunningWitness, startWitness } from "@fairtick/transparency/cli";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { logVerifierKeys } from "./log-keys.ts";
import { readPublication } from "./log-store.ts";
import { readMix, readMixWitness } from "./read-mix.ts";
import { type RunningLog, startLog } from "./start-log.ts";

let context: TestContext;
let dataDir: string;
const logs: RunningLog[] = [];
const witnesses: RunningWitness[] = [];

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "fixed-mix-"));
  context = await createTestContext({ dataDir, logOrigin: "test.example/log" });
});
afterEach(async () => {
  for (const log of logs.splice(0)) await log.stop();
  for (const witness of witnesses.splice(0)) await witness.close();
  await context.close();
  rmSync(dataDir, { recursive: true });
});

async function openWitness(name: string, port = "0"): Promise<RunningWitness> {
  const [key = ""] = logVerifierKeys(context.config);
  const args = ["--folder", join(dataDir, name), "--log", key, "--name", `${name}.example/w`, "--port", port];
  const witness = await startWitness(args);
  if (witness === null) throw new Error("no witness");
  witnesses.push(witness);
  return witness;
}

function watchedBy(...all: readonly RunningWitness[]): void {
  const config = { ...context.config, witnesses: all.map(({ url, key }) => ({ url, key })) };
  context = Object.assign(context, { config });
}

async function start(): Promise<RunningLog> {
  const log = await startLog({ ...context, clock: systemClock });
  logs.push(log);
  return log;
}

async function write(
  ...entries: readonly { readonly kind: string; readonly [field: string]: unknown }[]
): Promise<void> {
  for (const entry of entries) {
    await context.databases.jobs.query("INSERT INTO outbox (kind, entry) VALUES ($1, $2)", [
      entry.kind,
      canonicalJson({ ...entry, v: 1 }),
    ]);
  }
}

const HASH = "ab".repeat(32);
const commitOf = (e: number, witness: string | null) => ({
  kind: "epoch.commit",
  commit: HASH,
  e,
  params: HASH,
  ...(witness !== null && { witness }),
});
let told = 0;
const other = () => ({ kind: "approval", at: (told += 1), hash: HASH, subject: "a thing" });

const mixOf = (e: number) => readMix(context.databases.market, BigInt(e));
const finalMix = (e: number) =>
  waitUntil(`the mix of epoch ${e}`, async () => {
    const found = await mixOf(e);
    return found.final ? found : null;
  });
const publication = () => readPublication(context.databases.reader);
const published = (size: number) =>
  waitUntil(`a checkpoint of ${size}`, async () => {
    const now = await publication();
    return now !== null && now.size >= size ? now : null;
  });
async function placeOf(e: number): Promise<number | null> {
  const [row] = await context.databases.reader.query<{ log_index: bigint }>(
    "SELECT log_index FROM log_entries WHERE kind = 'epoch.commit' AND number = $1",
    [BigInt(e)],
  );
  return row === undefined ? null : Number(row.log_index);
}

describe("the mix of an epoch", () => {
  it("is made from the named witness's signature on the one checkpoint that ends with its commit", async () => {
    const [first, second] = [await openWitness("first"), await openWitness("second")];
    watchedBy(first, second);
    await write(other(), commitOf(1, second.key), commitOf(2, first.key), other(), other(), commitOf(3, null), other());
    await start();
    await published(7);
    for (const [e, named] of [
      [1, second],
      [2, first],
    ] as const) {
      const { checkpoint, source } = await finalMix(e);
      const text = parseNote(checkpoint)!.text;
      expect(parseCheckpoint(text)!.size).toBe((await placeOf(e))! + 1);
      expect(verifyTimeless(parseVerifierKey(named.key)!, text, source)).toBe(true);
    }
    const alone = await finalMix(3);
    const checkpoint = parseCheckpoint(parseNote(alone.checkpoint)!.text)!;
    expect(checkpoint).toMatchObject({ size: (await placeOf(3))! + 1, root: new Uint8Array(alone.source) });
  });

  it("waits for that witness, and no entry follows the commit before they have signed", async () => {
    let witness = await openWitness("first");
    watchedBy(witness);
    await write(other());
    await start();
    const { size } = await published(1);
    await witness.close();
    witnesses.splice(0);
    await write(commitOf(1, witness.key), other(), other());
    await waitUntil("the commit's place", () => placeOf(1));
    const open = await waitUntil("the signed checkpoint", async () => {
      const found = await mixOf(1);
      return found.checkpoint === null ? null : found;
    });
    expect(open).toMatchObject({ final: false });
    const at = (await placeOf(1))!;
    // A writer that takes over keeps waiting.
    for (const log of logs.splice(0)) await log.stop();
    await start();
    await waitUntil("a pass of the next writer", async () =>
      (await publication())!.signedSize === at + 1 ? true : null,
    );
    const [placed] = await context.databases.reader.query<{ size: bigint }>("SELECT size FROM log_writer");
    expect([Number(placed!.size), (await publication())!.size]).toEqual([at + 1, size]);
    witness = await openWitness("first", new URL(witness.url).port);
    const { checkpoint, source } = await finalMix(1);
    const text = parseNote(checkpoint)!.text;
    expect(parseCheckpoint(text)!.size).toBe(at + 1);
    expect(verifyTimeless(parseVerifierKey(witness.key)!, text, source)).toBe(true);
    await published(at + 3);
  });

  it("doesn't wait for a witness that is no longer asked", async () => {
    const [gone, there] = [await openWitness("gone"), await openWitness("there")];
    watchedBy(there);
    await write(commitOf(1, gone.key), other());
    await start();
    await published(2);
    expect((await finalMix(1)).source).toHaveLength(32);
    expect(await readMixWitness(context.databases.market, [there.key])).toBe(there.key);
  });
});
