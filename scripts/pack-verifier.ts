/**
 * Packs the command `fairtick` for other machines: one file of code with everything it needs, in a tarball that `npx`
 * can run from an address. The server serves it at `/verifier.tgz`. `npm run pack-verifier [folder]` also copies it
 * into the folder or the current one.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { isOlderThan } from "./build-app.ts";
import { writeTarball } from "./write-tarball.ts";

const run = promisify(execFile);
const PROJECT = resolve(import.meta.dirname, "..");
/** Path in the project's folder where the server looks for it. */
const TARBALL = "packages/transparency/dist/verifier.tgz";
const SOURCES = ["packages/transparency", "packages/domain", "package-lock.json", "scripts/pack-verifier.ts"];

const README = `# fairtick

Checks what a Fairtick house says, with public data and the keys that you pin: receipts of orders, the whole public log, and the app
that is served. It needs nothing but Node 20 or later, and asks nobody but the address that you name. In an empty folder, with the house's own
address in place of https://host:

    npx --yes https://host/verifier.tgz keys --log https://host/log > fairtick.keys    # once; compare it with what others have
    npx --yes https://host/verifier.tgz verify receipt.json
    npx --yes https://host/verifier.tgz verify --log https://host/log --save seen
    npx --yes https://host/verifier.tgz --help

The SHA-256 of this tarball stands at https://host/verifier.tgz.sha256, on the fairness page and in the log's newest "release" entry.
Anybody who has the sources makes the same bytes of them.
`;

/**
 * Packs it where the server looks or into another file; `project` is another copy of the sources. Returns its SHA-256.
 */
export async function packVerifier(tarball = join(PROJECT, TARBALL), project = PROJECT): Promise<string> {
  const folder = join(project, "packages/transparency");
  const vite = join(project, "node_modules/vite/bin/vite.js");
  await run(process.execPath, [vite, "build", "--logLevel", "warn"], {
    cwd: folder,
    // A test runner sets it to "test", which would give a different build.
    env: { ...process.env, NODE_ENV: "production" },
  });
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  const manifest = {
    name: "fairtick",
    version,
    description: "Checks a Fairtick house's receipts and public log.",
    type: "module",
    bin: { fairtick: "fairtick.mjs" },
    files: ["fairtick.mjs"],
    engines: { node: ">=20" },
    license: "UNLICENSED",
  };
  const bytes = writeTarball([
    { path: "package/package.json", bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
    { path: "package/README.md", bytes: Buffer.from(README) },
    { path: "package/fairtick.mjs", bytes: readFileSync(join(folder, "dist/fairtick/fairtick.mjs")), isProgram: true },
  ]);
  mkdirSync(dirname(tarball), { recursive: true });
  writeFileSync(tarball, bytes);
  return createHash("sha256").update(bytes).digest("hex");
}

/** Packs it if the tarball is missing or one of its sources is newer. */
export async function packStaleVerifier(): Promise<void> {
  if (isOlderThan(join(PROJECT, TARBALL), SOURCES)) await packVerifier();
}

if (process.argv[1] === import.meta.filename) {
  const sha256 = await packVerifier();
  const copy = join(resolve(process.argv[2] ?? "."), "verifier.tgz");
  copyFileSync(join(PROJECT, TARBALL), copy);
  console.log(`${sha256}  ${copy}`);
}
