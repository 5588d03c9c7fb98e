import { spawn } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const PROJECT = resolve(import.meta.dirname, "..");
/** The sources of each app. Tests and build output in these folders don't affect the build. */
const SOURCES = {
  member: [
    "packages/ui",
    "packages/i18n",
    "packages/client",
    "packages/protocol",
    "packages/transparency",
    "packages/domain",
  ],
  backoffice: ["packages/ui", "packages/protocol", "packages/domain"],
} as const;
export type AppName = keyof typeof SOURCES;
export const APP_NAMES: readonly AppName[] = ["member", "backoffice"];
const SKIPPED = new Set(["node_modules", "dist", ".types"]);

/** Builds each app that has no build or has newer sources. Returns the ones it built. */
export async function buildStaleApps(names: readonly AppName[] = APP_NAMES): Promise<readonly AppName[]> {
  const stale = names.filter(isStale);
  await Promise.all(stale.map((name) => buildApp(name)));
  return stale;
}

function isStale(name: AppName): boolean {
  const sources = [`apps/${name}`, ...SOURCES[name], "package-lock.json"];
  return isOlderThan(join(PROJECT, "apps", name, "dist/index.html"), sources);
}

/** Returns whether a build is missing or one of its sources (paths in the project) is newer. */
export function isOlderThan(built: string, sources: readonly string[]): boolean {
  if (!existsSync(built)) return true;
  const builtMs = statSync(built).mtimeMs;
  return sources.some((source) => isNewer(join(PROJECT, source), builtMs));
}

function isNewer(path: string, builtMs: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return false;
  if (!stats.isDirectory()) return stats.mtimeMs > builtMs && !/\.(test|stories)\.tsx?$/.test(path);
  return readdirSync(path).some((name) => !SKIPPED.has(name) && isNewer(join(path, name), builtMs));
}

/**
 * Builds apps/<name>/dist, or into another folder; `project` is another copy of the sources. Throws with the builder's
 * output if it fails.
 */
export async function buildApp(
  name: AppName,
  folder = join(PROJECT, "apps", name, "dist"),
  project = PROJECT,
): Promise<void> {
  const vite = join(project, "node_modules/vite/bin/vite.js");
  const { code, output } = await new Promise<{ code: number | null; output: string }>((done, reject) => {
    const child = spawn(process.execPath, [vite, "build", "--logLevel", "warn", "--outDir", folder, "--emptyOutDir"], {
      cwd: join(project, "apps", name),
      // A test runner sets it to "test", which would give a different build.
      env: { ...process.env, NODE_ENV: "production" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        text += chunk.toString("utf8");
      });
    }
    child.on("error", reject);
    child.on("close", (status) => {
      done({ code: status, output: text });
    });
  });
  if (code !== 0) throw new BuildProblem(`apps/${name} could not be built.\n${output.trim()}`);
}

export class BuildProblem extends Error {
  override readonly name = "BuildProblem";
}
