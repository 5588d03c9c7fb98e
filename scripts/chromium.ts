import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const CHROMIUM = "/usr/bin/chromium";

/** The system's browser, installed first where it is missing and this is root on Debian or Ubuntu. */
export function findChromium(): { readonly ok: true } | { readonly ok: false; readonly sentence: string } {
  if (existsSync(CHROMIUM)) return { ok: true };
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.log("Chromium is missing: apt-get installs it.");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync("apt-get", ["update", "--quiet"], { stdio: "inherit", env });
    spawnSync("apt-get", ["install", "--yes", "--quiet", "--no-install-recommends", "chromium"], {
      stdio: "inherit",
      env,
    });
    if (existsSync(CHROMIUM)) return { ok: true };
  }
  return {
    ok: false,
    sentence: `The journeys need a browser at ${CHROMIUM}. Install it (Debian: apt-get install chromium), or run "npm test -- --only unit".`,
  };
}
