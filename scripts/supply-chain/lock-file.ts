import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A package of the lock file that comes from a registry. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression declared by its author; null if there is none. */
  readonly license: string | null;
  /** Needed only by tests and tools, so it isn't part of any deployment. */
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

/** Lists the packages of a `package-lock.json` by name, each version once. */
export function readLockedPackages(text: string): LockedPackage[] {
  const { packages } = JSON.parse(text) as LockFile;
  const found = new Map<string, LockedPackage>();
  for (const [path, { version, license, dev = false, link = false, hasInstallScript = false }] of Object.entries(
    packages,
  )) {
    const name = path.split("node_modules/").at(-1) ?? "";
    if (!path.includes("node_modules/") || link || version === undefined) continue;
    const key = `${name}@${version}`;
    // A package that is listed twice ships if either entry ships.
    const isDev = dev && (found.get(key)?.isDev ?? true);
    found.set(key, { name, version, license: license ?? null, isDev, hasInstallScript });
  }
  return [...found.values()].toSorted(byName);
}

function byName(a: LockedPackage, b: LockedPackage): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

/** Reads the project's own lock file or manifest. */
export function readProjectFile(root: string, name: "package-lock.json" | "package.json"): string {
  return readFileSync(join(root, name), "utf8");
}
