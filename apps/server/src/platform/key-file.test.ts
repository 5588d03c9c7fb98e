import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, expect, it } from "vitest";
import { makeIfMissing, openSecretFile } from "./key-file.ts";

const folder = mkdtempSync(join(tmpdir(), "fairtick-keys-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const THREADS = 4;
const FILES = 200;

/** Program of a thread: all threads open each file at once and return what they read. */
const ASKER = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { readFileSync } = require("node:fs");
  const { randomBytes } = require("node:crypto");
  const arrived = new Int32Array(workerData.arrived);
  import(workerData.module).then(({ makeIfMissing }) => {
    const read = [];
    for (let file = 0; file < ${FILES}; file += 1) {
      Atomics.add(arrived, file, 1);
      while (Atomics.load(arrived, file) < ${THREADS});
      const path = workerData.folder + "/" + file;
      makeIfMissing(path, () => randomBytes(32));
      read.push(readFileSync(path).toString("hex"));
    }
    parentPort.postMessage(read);
  });`;

it("gives all processes that create a key at the same moment the same complete key", async () => {
  const arrived = new SharedArrayBuffer(4 * FILES);
  const module = new URL("key-file.ts", import.meta.url).href;
  const all = await Promise.all(
    Array.from(
      { length: THREADS },
      () =>
        new Promise<string[]>((resolve, reject) => {
          const worker = new Worker(ASKER, { eval: true, workerData: { arrived, module, folder } });
          worker.once("message", resolve);
          worker.once("error", reject);
        }),
    ),
  );
  for (const read of all) expect(read).toEqual(all[0]);
  expect(all[0]?.filter((key) => key.length !== 64)).toEqual([]);
  expect(readdirSync(folder)).toHaveLength(FILES);
});

it("lets no other user read it or look into its folder", () => {
  const path = join(folder, "within", "secret");
  expect(openSecretFile(path)).toHaveLength(32);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, "within")).mode & 0o777).toBe(0o700);
  makeIfMissing(path, () => "another");
  expect(openSecretFile(path)).toHaveLength(32);
});
