import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { APP_NAMES, buildApp, type AppName } from "./build-app.ts";
import { packVerifier } from "./pack-verifier.ts";
import { writeBill } from "./supply-chain/write-bill.ts";

const PROJECT = resolve(import.meta.dirname, "..");
/** Time for four builds on a machine that is busy with other tests. */
const TIMEOUT_MS = 600_000;
const folders: string[] = [];
/** A copy of the sources under another path. */
let elsewhere: string;

beforeAll(() => {
  // On the project's own disk, so that installed packages can be hard-linked.
  const artifacts = join(PROJECT, "artifacts");
  mkdirSync(artifacts, { recursive: true });
  elsewhere = mkdtempSync(join(artifacts, "a-longer-name-of-a-folder-"));
  folders.push(elsewhere);
  const { stdout } = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: PROJECT,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  const sources = stdout.split("\0").filter((path) => existsSync(join(PROJECT, path)) && !path.startsWith("docs/"));
  for (const path of sources.filter((each) => each !== "")) {
    mkdirSync(dirname(join(elsewhere, path)), { recursive: true });
    copyFileSync(join(PROJECT, path), join(elsewhere, path));
  }
  // A workspace has its own node_modules for packages that it needs in a different version.
  const installed = ["node_modules", ...globSync("{apps,packages}/*/node_modules", { cwd: PROJECT })];
  for (const folder of installed) {
    const linked = spawnSync("cp", ["-al", folder, join(elsewhere, folder)], { cwd: PROJECT });
    if (linked.status !== 0) throw new Error(`what is installed could not be linked: ${linked.stderr.toString()}`);
  }
}, TIMEOUT_MS);
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Builds an app; returns each file with its hash. */
async function build(name: AppName, project: string): Promise<readonly string[]> {
  // Built to the same place relative to the sources, because source maps contain relative paths.
  const folder = join(project, "artifacts", `reproduced-${name}`);
  folders.push(folder);
  await buildApp(name, folder, project);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path.slice(folder.length)} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`)
    .toSorted();
}

it.each(APP_NAMES)(
  "two builds of the %s app in two folders are identical to the byte",
  async (name) => {
    const first = await build(name, PROJECT);
    expect(first.length).toBeGreaterThan(3);
    expect(await build(name, elsewhere)).toEqual(first);
  },
  TIMEOUT_MS,
);

it(
  "two tarballs of the verifier packed in two folders are identical to the byte",
  async () => {
    const [first, second] = [join(elsewhere, "first.tgz"), join(elsewhere, "second.tgz")];
    expect(await packVerifier(first, PROJECT)).toBe(await packVerifier(second, elsewhere));
    expect(readFileSync(first).equals(readFileSync(second))).toBe(true);
  },
  TIMEOUT_MS,
);

it(
  "two bills of materials from two folders are identical to the byte",
  () => {
    const [first, second] = [PROJECT, elsewhere].map((project) => {
      const path = join(elsewhere, "sbom.cdx.json");
      expect(writeBill(project, path).components).toBeGreaterThan(100);
      return readFileSync(path, "utf8");
    });
    expect(second).toBe(first);
  },
  TIMEOUT_MS,
);
