/**
 * `npm run supply-chain`: writes the bill of materials and the page of licences, and asks the registry about known
 * problems.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { askRegistry, QUESTIONS } from "./ask-registry.ts";
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
for (const question of ["audit", "signatures"] as const) {
  const { state, said } = await askRegistry(question, PROJECT);
  const silent = `this registry does not answer. Ask again where it does: npm ${QUESTIONS[question].join(" ")}`;
  console.log(`${question}: ${{ clean: "no known problems in what ships", found: `\n${said}`, silent }[state]}`);
  if (state === "found") process.exitCode = 1;
}
