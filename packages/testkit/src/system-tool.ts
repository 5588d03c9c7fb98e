import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

export interface SystemTool {
  /** The program's name for people. */
  readonly name: string;
  readonly path: string;
  /** Debian's packages that contain it. */
  readonly packages: readonly string[];
}

/** Finds a program of the system, and first installs it if it is missing and this process is root on Debian or Ubuntu. */
export function findTool({
  name,
  path,
  packages,
}: SystemTool): { readonly ok: true } | { readonly ok: false; readonly sentence: string } {
  if (existsSync(path)) return { ok: true };
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    process.stderr.write(`${name} is missing: apt-get installs it.\n`);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync("apt-get", ["update", "--quiet"], { stdio: "inherit", env });
    spawnSync("apt-get", ["install", "--yes", "--quiet", "--no-install-recommends", ...packages], {
      stdio: "inherit",
      env,
    });
    if (existsSync(path)) return { ok: true };
  }
  return {
    ok: false,
    sentence: `There is no ${path}: install ${name} (Debian: apt-get install ${packages.join(" ")}).`,
  };
}
