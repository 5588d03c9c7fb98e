import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runTool } from "../run-tool.ts";
import { unapprovedScripts } from "./install-scripts.ts";
import { licencePage, unknownLicences } from "./licences.ts";
import { readLockedPackages, readProjectFile } from "./lock-file.ts";

const PROJECT = join(import.meta.dirname, "../..");
export const LICENCE_PAGE = join(PROJECT, "docs/licences.md");

/** Finds problems in licences, install scripts, and files with secrets. */
async function problems(): Promise<string[]> {
  const packages = readLockedPackages(readProjectFile(PROJECT, "package-lock.json"));
  const manifest = JSON.parse(readProjectFile(PROJECT, "package.json")) as {
    readonly allowScripts?: Readonly<Record<string, boolean>>;
  };
  const allowed = Object.entries(manifest.allowScripts ?? {})
    .filter(([, is]) => is)
    .map(([name]) => name);
  const isPageOld = readFileSync(LICENCE_PAGE, "utf8") !== licencePage(packages);
  const secrets = await runTool(join(PROJECT, "node_modules/secretlint/bin/secretlint.js"), [
    "--secretlintignore",
    ".gitignore",
    "**/*",
  ]);
  return [
    ...unknownLicences(packages),
    ...unapprovedScripts(packages, allowed),
    ...(isPageOld ? ["docs/licences.md is out of date: npm run supply-chain"] : []),
    ...(secrets.code === 0 ? [] : [secrets.output.trim()]),
  ];
}

const found = await problems();
for (const problem of found) console.log(problem);
process.exitCode = found.length > 0 ? 1 : 0;
