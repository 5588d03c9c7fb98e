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
 * Writes the bill of materials of what ships, in CycloneDX's JSON, as npm makes it from the lock file. Without the number
 * and the time that npm gives each bill, and with the product's name where npm puts the folder's: the same sources have
 * the same bill, to the byte.
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
