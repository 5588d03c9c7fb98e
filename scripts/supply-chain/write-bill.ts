import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";

/** Writes the bill of materials of what ships, in CycloneDX's JSON, as npm makes it from the lock file. */
export function writeBill(root: string, path: string): { readonly components: number; readonly specVersion: string } {
  const { status, stdout, stderr } = spawnSync("npm", ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error(`npm could not list the packages.\n${stderr.trim()}`);
  const bill = JSON.parse(stdout) as { readonly components: readonly unknown[]; readonly specVersion: string };
  writeFileSync(path, stdout);
  return { components: bill.components.length, specVersion: bill.specVersion };
}
