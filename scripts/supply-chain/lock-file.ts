import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A package of the lock file that comes from a registry. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** As its maker declares it: an SPDX expression; null where they say nothing. */
  readonly license: string | null;
  /** Needed by tests and tools alone: nothing of it reaches a deployment. */
  readonly isDev: boolean;
  readonly hasInstallScript: boolean;
}

interface LockFile {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string;
        readonly license?: string;
        readonly dev?: boolean;
        readonly link?: boolean;
        readonly hasInstallScript?: boolean;
      }
    >
  >;
}

/** Lists the packages of a `package-lock.json`, each name and version once, by name. */
export function readLockedPackages(text: string): LockedPackage[] {
  const { packages } = JSON.parse(text) as LockFile;
  const found = new Map<string, LockedPackage>();
  for (const [path, { version, license, dev = false, link = false, hasInstallScript = false }] of Object.entries(
    packages,
  )) {
    const name = path.split("node_modules/").at(-1) ?? "";
    if (!path.includes("node_modules/") || link || version === undefined) continue;
    const key = `${name}@${version}`;
    // One that is there twice ships if one of them does.
    const isDev = dev && (found.get(key)?.isDev ?? true);
    found.set(key, { name, version, license: license ?? null, isDev, hasInstallScript });
  }
  return [...found.values()].toSorted(byName);
}

function byName(a: LockedPackage, b: LockedPackage): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

/** The project's own lock file and manifest, as text. */
export function readProjectFile(root: string, name: "package-lock.json" | "package.json"): string {
  return readFileSync(join(root, name), "utf8");
}
