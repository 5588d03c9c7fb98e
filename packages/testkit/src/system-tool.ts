import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Our own lock. Other programs wait for apt-get's own locks too, for which there is a timeout. */
const APT_LOCK = join(tmpdir(), "fairtick-apt.lock");
const APT_WAIT_S = 300;

export interface SystemTool {
  /** The program's name as shown to people. */
  readonly name: string;
  readonly path: string;
  /** Debian packages that contain it. */
  readonly packages: readonly string[];
}

/**
 * Finds a program of the system. If it is missing and this process is root on Debian or Ubuntu, it is installed first.
 */
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

/**
 * Installs packages one call at a time, because apt-get fails while another one runs and tests look for their tools in
 * parallel.
 */
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
