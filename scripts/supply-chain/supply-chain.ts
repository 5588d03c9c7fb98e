/** What `npm run supply-chain` does: the bill of materials, the page of licences, and what the registry knows against us. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { licencePage } from "./licences.ts";
import { readLockedPackages, readProjectFile } from "./lock-file.ts";
import { writeBill } from "./write-bill.ts";

const PROJECT = join(import.meta.dirname, "../..");
const ARTIFACTS = join(PROJECT, "artifacts");

mkdirSync(ARTIFACTS, { recursive: true });
const bill = writeBill(PROJECT, join(ARTIFACTS, "sbom.cdx.json"));
console.log(`artifacts/sbom.cdx.json: ${bill.components} packages, CycloneDX ${bill.specVersion}`);
writeFileSync(
  join(PROJECT, "docs/licences.md"),
  licencePage(readLockedPackages(readProjectFile(PROJECT, "package-lock.json"))),
);
console.log("docs/licences.md is written.");
process.exitCode = Math.max(ask("audit", ["audit", "--omit=dev"]), ask("signatures", ["audit", "signatures"]));

/** Asks the registry. One that does not answer such a question (a mirror) is said, and is no failure. */
function ask(what: string, options: readonly string[]): number {
  const { status, stdout, stderr } = spawnSync("npm", options, { cwd: PROJECT, encoding: "utf8" });
  if (status === 0) console.log(`${what}: ${stdout.trim().split("\n").at(-1)}`);
  else if (/endpoint|network|E40[0-9]|E50[0-9]|ECONN|ENOTFOUND|No dependencies/i.test(stderr)) {
    console.log(`${what}: this registry does not answer. Ask again where it does: npm ${options.join(" ")}`);
    return 0;
  } else console.log(`${what}:\n${stdout}${stderr}`);
  return status === 0 ? 0 : 1;
}
