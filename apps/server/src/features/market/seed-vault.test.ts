import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openSeedVault } from "./seed-vault.ts";

const folder = mkdtempSync(join(tmpdir(), "seeds-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it("keeps the seed of a writer that took over, even when the previous writer wakes up", async () => {
  const successor = openSeedVault(folder);
  const stalled = openSeedVault(folder);
  const committed = await successor.create(7n);
  await stalled.create(7n);
  expect(successor.read(7n)).toEqual(committed);
  const [one, other] = await Promise.all([successor.create(8n), stalled.create(8n)]);
  expect(one).toEqual(other);
  expect(successor.read(8n)).toEqual(one);
  expect(readdirSync(folder).toSorted()).toEqual(["epoch-7.seed", "epoch-8.seed"]);
});
