import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { canonicalJson } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { waitUntil } from "@fairtick/testkit";
import { findGo } from "@fairtick/testkit/go";
import { openTileTree, toBase64 } from "@fairtick/transparency";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { openLogFiles } from "./log-files.ts";
import { logVerifierKeys } from "./log-keys.ts";
import { readPublication } from "./log-store.ts";
import { startLog } from "./start-log.ts";

const SOURCE = resolve(import.meta.dirname, "../../../../../packages/transparency/independent/check-log.go");
const ENTRIES = 100_000;

let context: TestContext;
let dataDir: string;
let key: string;
let size: number;
const programFile = () => join(dataDir, "check-log");
const publicFolder = () => join(dataDir, "log", "public");

function buildChecker(): void {
  findGo();
  const env = { ...process.env, GO111MODULE: "off", GOPATH: "/usr/share/gocode", GOCACHE: join(dataDir, "go") };
  const built = spawnSync("go", ["build", "-o", programFile(), SOURCE], { env, encoding: "utf8" });
  if (built.status !== 0) throw new Error(`go build: ${built.error?.message ?? built.stderr}`);
}

/** Writes proofs made by this project's code, for the Go implementation to check. Returns how many. */
async function writeProofs(path: string): Promise<number> {
  const tree = openTileTree(nodeHashes, await openLogFiles(publicFolder()), size);
  const inclusion = [];
  const consistency = [];
  for (let place = 0; place < size; place += 4_999) {
    inclusion.push({ index: place, path: (await tree.inclusionProof(place)).map(toBase64) });
    consistency.push({ from: place + 1, path: (await tree.consistencyProof(place + 1)).map(toBase64) });
  }
  writeFileSync(path, JSON.stringify({ inclusion, consistency }));
  return inclusion.length + consistency.length;
}

function check(folder: string): { readonly status: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(programFile(), [folder, key, join(dataDir, "proofs.json")], {
    encoding: "utf8",
  });
  return { status, said: `${stdout}${stderr}`.trim() };
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "independent-log-"));
  buildChecker();
  context = await createTestContext({ dataDir, logOrigin: "test.example/log" });
  await context.databases.jobs.query("INSERT INTO outbox (kind, entry) SELECT 'approval', unnest($1::text[])", [
    Array.from({ length: ENTRIES }, (_, place) =>
      canonicalJson({ at: place, hash: "ab".repeat(32), kind: "approval", subject: "é".repeat(place % 90), v: 1 }),
    ),
  ]);
  const log = await startLog({ ...context, clock: systemClock });
  const published = await waitUntil(
    "the whole log",
    async () => {
      const now = await readPublication(context.databases.reader);
      return now !== null && now.size > ENTRIES ? now : null;
    },
    90_000,
  );
  await log.stop();
  ({ size } = published);
  [key = ""] = logVerifierKeys(context.config);
}, 150_000);

afterAll(async () => {
  await context.close();
  rmSync(dataDir, { recursive: true });
});

it("is the same log to Go's implementation: signature, root, and proofs made by either", async () => {
  const given = await writeProofs(join(dataDir, "proofs.json"));
  expect(check(publicFolder())).toEqual({
    status: 0,
    said: `${size} entries, ${Math.ceil(size / 251) + Math.ceil(size / 1_009)} proofs made, ${given} proofs checked`,
  });
});

it.each([
  ["an entry", "tile/entries/044", "the entries hash to"],
  ["a hash of a tile", "tile/0/044", "invalid transparency proof"],
  ["the signature", "checkpoint", "invalid signature"],
])("is rejected once %s is changed", (_what, path, sentence) => {
  const folder = join(dataDir, "bent");
  cpSync(publicFolder(), folder, { recursive: true });
  const bytes = readFileSync(join(folder, path));
  const place = path === "checkpoint" ? bytes.length - 10 : bytes.length >> 1;
  const otherLetter = bytes[place] === 65 ? 66 : 65;
  bytes[place] = path === "checkpoint" ? otherLetter : bytes[place]! ^ 1;
  writeFileSync(join(folder, path), bytes);
  const { status, said } = check(folder);
  rmSync(folder, { recursive: true });
  expect(status).toBe(1);
  expect(said).toContain(sentence);
});
