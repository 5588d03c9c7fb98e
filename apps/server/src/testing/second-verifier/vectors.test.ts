import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runPython } from "./run-python.ts";

const VECTORS = resolve(import.meta.dirname, "../../../../../docs/vectors");
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "vectors-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

it("the second verifier computes the same values as the vectors", async () => {
  const { exitCode, lines } = await runPython(["verify-vectors", VECTORS]);
  expect(lines).toEqual([expect.stringMatching(/^1\d\d vectors, 0 of them wrong$/)]);
  expect(exitCode).toBe(0);
});

it("the second verifier names a vector that differs", async () => {
  cpSync(VECTORS, folder, { recursive: true });
  const path = join(folder, "orders.json");
  writeFileSync(path, readFileSync(path, "utf8").replace('"direction": "down"', '"direction": "up"'));
  const { exitCode, lines } = await runPython(["verify-vectors", folder]);
  expect(lines[0]).toMatch(/^orders: seal of up: [0-9a-f]{64} in place of [0-9a-f]{64}$/);
  expect([lines.length, exitCode]).toEqual([2, 1]);
});
