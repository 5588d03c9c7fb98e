/**
 * Packs the command `fairtick` for other machines: one file of code with everything it needs, in a tarball that `npx`
 * can run from an address. The server serves it at `/verifier.tgz`. `npm run pack-verifier [folder]` also copies it
 * into the folder or the current one.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { buildAnew, buildOnce, type Product } from "./build-once.ts";
import { writeTarball } from "./write-tarball.ts";

const run = promisify(execFile);
const PROJECT = resolve(import.meta.dirname, "..");
const PRODUCT: Product = {
  // Where the server looks for it.
  output: join(PROJECT, "packages/transparency/dist/verifier.tgz"),
  sources: ["packages/transparency", "packages/domain", "package-lock.json", "scripts/pack-verifier.ts"],
  build: async (draft) => {
    await packVerifier(draft);
  },
};

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

/** Packs it into a file; `project` may be another copy of the sources. Returns the tarball's SHA-256. */
export async function packVerifier(tarball: string, project = PROJECT): Promise<string> {
  const bytes = writeTarball(await packedFiles(join(project, "packages/transparency"), project));
  mkdirSync(dirname(tarball), { recursive: true });
  writeFileSync(tarball, bytes);
  return createHash("sha256").update(bytes).digest("hex");
}

/** Packs it where the server looks. Returns the tarball's SHA-256. */
export async function packVerifierAnew(): Promise<string> {
  await buildAnew(PRODUCT);
  return createHash("sha256").update(readFileSync(PRODUCT.output)).digest("hex");
}

/** Packs it where the server looks, if there is no tarball of the present sources. */
export async function packStaleVerifier(): Promise<void> {
  await buildOnce(PRODUCT);
}

async function packedFiles(folder: string, project: string): Promise<Parameters<typeof writeTarball>[0]> {
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
  return [
    { path: "package/package.json", bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
    { path: "package/README.md", bytes: Buffer.from(README) },
    { path: "package/fairtick.mjs", bytes: await bundleCommand(folder, project), isProgram: true },
  ];
}

async function bundleCommand(folder: string, project: string): Promise<Buffer> {
  const vite = join(project, "node_modules/vite/bin/vite.js");
  // A folder of its own, because several packings may run at a time.
  const bundled = mkdtempSync(join(tmpdir(), "fairtick-verifier-"));
  try {
    await run(process.execPath, [vite, "build", "--logLevel", "warn", "--outDir", bundled, "--emptyOutDir"], {
      cwd: folder,
      // A test runner sets it to "test", which would give a different build.
      env: { ...process.env, NODE_ENV: "production" },
    });
    return readFileSync(join(bundled, "fairtick.mjs"));
  } finally {
    rmSync(bundled, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const sha256 = await packVerifierAnew();
  const copy = join(resolve(process.argv[2] ?? "."), "verifier.tgz");
  copyFileSync(PRODUCT.output, copy);
  console.log(`${sha256}  ${copy}`);
}
