import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { APP_NAMES, buildApp, type AppName } from "./build-app.ts";

/** Each file of a build with its hash. */
async function build(name: AppName): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), `fairtick-build-${name}-`));
  await buildApp(name, folder);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path.slice(folder.length)} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`)
    .toSorted();
}

it.each(APP_NAMES)("two builds of the %s app are the same to the byte", async (name) => {
  const first = await build(name);
  expect(first.length).toBeGreaterThan(3);
  expect(await build(name)).toEqual(first);
});
