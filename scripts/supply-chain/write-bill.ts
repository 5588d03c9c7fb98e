import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Bill {
  readonly serialNumber?: string;
  readonly metadata: { readonly timestamp?: string; readonly component: object };
  readonly components: readonly unknown[];
  readonly specVersion: string;
}

/**
 * Writes the bill of materials of what ships as CycloneDX JSON, which npm makes from the lock file. npm's serial number
 * and time are removed, and its folder name is replaced by the product's, so that the same sources give the same bill,
 * to the byte.
 */
export function writeBill(root: string, path: string): { readonly components: number; readonly specVersion: string } {
  const { status, stdout, stderr } = spawnSync(
    "npm",
    ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"],
    {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 1 << 26,
    },
  );
  if (status !== 0) throw new Error(`npm could not list the packages.\n${stderr.trim()}`);
  const { serialNumber: _number, metadata, ...rest } = JSON.parse(stdout) as Bill;
  const { timestamp: _time, component, ...about } = metadata;
  const { name } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly name: string };
  const bill = { ...rest, metadata: { ...about, component: { ...component, name } } };
  writeFileSync(path, `${JSON.stringify(bill, null, 2)}\n`);
  return { components: bill.components.length, specVersion: bill.specVersion };
}
