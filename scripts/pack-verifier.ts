/**
 * Packs the command `fairtick` for other machines: one file with all it needs, in a tarball that `npm install` takes.
 * `npm run pack-verifier [folder]` leaves it there, or where it is called.
 */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const PACKAGE = resolve(import.meta.dirname, "../packages/transparency");
const BUILT = join(PACKAGE, "dist/fairtick");
const VITE = resolve(import.meta.dirname, "../node_modules/vite/bin/vite.js");

const README = `# fairtick

Checks what a Fairtick house says, with public data and the keys that you pin: receipts of orders, and the whole public log.

    npx fairtick keys --log https://host/log > fairtick.keys    # once; compare it with what others have
    npx fairtick verify receipt.json
    npx fairtick verify --log https://host/log --save seen
    npx fairtick --help
`;

/** Builds and packs. Answers the tarball's path. */
export async function packVerifier(folder: string): Promise<string> {
  await run(process.execPath, [VITE, "build", "--logLevel", "warn"], { cwd: PACKAGE });
  const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")) as { version: string };
  const manifest = {
    name: "fairtick",
    version,
    description: "Checks a Fairtick house's receipts and public log.",
    type: "module",
    bin: { fairtick: "fairtick.mjs" },
    files: ["fairtick.mjs"],
    engines: { node: ">=22" },
    license: "UNLICENSED",
  };
  writeFileSync(join(BUILT, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(BUILT, "README.md"), README);
  await run("npm", ["pack", "--pack-destination", resolve(folder), "--loglevel=error"], { cwd: BUILT });
  return join(resolve(folder), `fairtick-${version}.tgz`);
}

if (process.argv[1] === import.meta.filename) console.log(await packVerifier(process.argv[2] ?? "."));
