import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { nodeHashes } from "@fairtick/domain/node";
import { overallState, parsePolicy, parseReceipt, verifyLog, verifyReceipt } from "@fairtick/transparency";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runPython, verifyInPython, writeKeys, writeLog } from "./run-python.ts";

// The log and three receipts of a house that ran the version of 24 Nov 2026, before sealed orders and beacons, for one
// epoch. What members keep from then has to hold for good, and nothing here was made by today's code.
const FILE = join(import.meta.dirname, "fixtures/former-log.json.gz");
const kept = JSON.parse(gunzipSync(readFileSync(FILE)).toString()) as {
  readonly keys: string;
  /** Base 64 of each file of the log, by its path. */
  readonly files: Readonly<Record<string, string>>;
  readonly receipts: readonly string[];
};
const policy = parsePolicy(kept.keys);
const files = new Map(
  Object.entries(kept.files).map(([path, text]) => [path, new Uint8Array(Buffer.from(text, "base64"))]),
);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "former-log-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Verifies a copy of the log with both verifiers. Returns the checks in which each finds a fault. */
async function faultsOf(log: ReadonlyMap<string, Uint8Array>) {
  const { findings, epochs } = await verifyLog(nodeHashes, { read: async (path) => log.get(path) ?? null }, policy);
  const here = findings.filter(({ grade }) => grade === "fault").map(({ check }) => check);
  const at = mkdtempSync(join(folder, "copy-"));
  const { lines } = await runPython(["verify-log", "--keys", writeKeys(at, policy), writeLog(join(at, "log"), log)]);
  const there = lines.flatMap((line) => /^fault +([a-z]+)/.exec(line)?.[1] ?? []);
  return { here: [...new Set(here)], there: [...new Set(there)], epochs };
}

it("is verified by both as on its day, with an epoch whose seed is known", async () => {
  expect(await faultsOf(files)).toEqual({ here: [], there: [], epochs: 1 });
}, 120_000);

it("is refused by both if one byte of it is bent", async () => {
  const [path, bytes] = [...files].find(([name]) => name.startsWith("tile/entries/"))!;
  const bent = Uint8Array.from(bytes);
  bent[bent.length - 40]! ^= 1;
  const { here, there } = await faultsOf(new Map([...files, [path, bent]]));
  expect(here).not.toEqual([]);
  expect(there).not.toEqual([]);
}, 120_000);

it("has receipts that hold in both", async () => {
  expect(kept.receipts).toHaveLength(3);
  for (const text of kept.receipts) {
    const parsed = parseReceipt(JSON.parse(text));
    if (!parsed.ok) throw new Error(parsed.fault);
    expect(parsed.receipt.v).toBe(1);
    expect(overallState(verifyReceipt(nodeHashes, parsed.receipt, policy))).toBe("ok");
  }
  const there = await verifyInPython(folder, kept.receipts, policy);
  expect(there.map(({ state }) => state)).toEqual(["ok", "ok", "ok"]);
}, 120_000);
