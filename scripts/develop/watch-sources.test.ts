import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Watch, watchSources } from "./watch-sources.ts";

let folder: string;
let watching: Watch;
let told: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fairtick-watch-"));
  for (const below of ["src/deep", "node_modules/other"]) mkdirSync(join(folder, below), { recursive: true });
  writeFileSync(join(folder, "src/deep/orders.ts"), "");
  told = [];
  watching = watchSources([folder], (paths) => told.push(...paths));
});
afterEach(() => {
  watching.close();
  rmSync(folder, { recursive: true });
});

const settled = () => new Promise((done) => setTimeout(done, 300));

it("reports a file that was written, touched or replaced, once per change", async () => {
  const path = join(folder, "src/deep/orders.ts");
  writeFileSync(path, "1");
  writeFileSync(path, "2");
  await expect.poll(() => told).toEqual([path]);
  utimesSync(path, new Date(), new Date());
  await expect.poll(() => told).toEqual([path, path]);
  writeFileSync(join(folder, "src/deep/orders.ts~"), "3");
  renameSync(join(folder, "src/deep/orders.ts~"), path);
  await expect.poll(() => told.filter((one) => one === path)).toHaveLength(3);
});

it("watches folders created later, but not those with build output or installed packages", async () => {
  mkdirSync(join(folder, "src/new"));
  await settled();
  writeFileSync(join(folder, "src/new/later.ts"), "");
  await expect.poll(() => told).toContain(join(folder, "src/new/later.ts"));
  writeFileSync(join(folder, "node_modules/other/index.js"), "");
  await settled();
  expect(told.filter((path) => path.includes("node_modules"))).toEqual([]);
});

it("reports nothing once it is closed", async () => {
  watching.close();
  writeFileSync(join(folder, "src/deep/orders.ts"), "1");
  await settled();
  expect(told).toEqual([]);
});
