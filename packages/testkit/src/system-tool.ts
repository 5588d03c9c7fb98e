import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Ours; apt-get's own locks, for which other programs wait, have a timeout. */
const APT_LOCK = join(tmpdir(), "fairtick-apt.lock");
const APT_WAIT_S = 300;

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
    install(packages);
    if (existsSync(path)) return { ok: true };
  }
  return {
    ok: false,
    sentence: `There is no ${path}: install ${name} (Debian: apt-get install ${packages.join(" ")}).`,
  };
}

/** Installs one thing at a time, since apt-get fails where another one is at work and tests look for their tools side by side. */
function install(packages: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const command of [
    ["update", "--quiet"],
    ["install", "--yes", "--quiet", "--no-install-recommends", ...packages],
  ])
    spawnSync("flock", [APT_LOCK, "apt-get", "-o", `DPkg::Lock::Timeout=${APT_WAIT_S}`, ...command], {
      stdio: "inherit",
      env,
    });
}
