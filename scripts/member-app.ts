import { spawn } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const PROJECT = resolve(import.meta.dirname, "..");
const APP = join(PROJECT, "apps/member");
/** What the app is built from. Tests and built things in there change nothing of it. */
const SOURCES = [
  "apps/member",
  "packages/ui",
  "packages/i18n",
  "packages/client",
  "packages/protocol",
  "packages/domain",
  "package-lock.json",
];
const SKIPPED = new Set(["node_modules", "dist", ".types"]);

/** Builds the member app when it was never built, or when one of its sources is newer. Answers whether it did. */
export async function buildMemberAppIfStale(): Promise<boolean> {
  const page = join(APP, "dist/index.html");
  if (existsSync(page)) {
    const builtMs = statSync(page).mtimeMs;
    if (!SOURCES.some((source) => isNewer(join(PROJECT, source), builtMs))) return false;
  }
  await buildMemberApp();
  return true;
}

function isNewer(path: string, builtMs: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return false;
  if (!stats.isDirectory()) return stats.mtimeMs > builtMs && !/\.test\.tsx?$/.test(path);
  return readdirSync(path).some((name) => !SKIPPED.has(name) && isNewer(join(path, name), builtMs));
}

/** Builds apps/member/dist. Throws with the builder's own words when it fails. */
export async function buildMemberApp(): Promise<void> {
  const vite = join(PROJECT, "node_modules/vite/bin/vite.js");
  const { code, output } = await new Promise<{ code: number | null; output: string }>((done, reject) => {
    const child = spawn(process.execPath, [vite, "build", "--logLevel", "warn"], {
      cwd: APP,
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
  if (code !== 0) throw new BuildProblem(`The member app could not be built.\n${output.trim()}`);
}

export class BuildProblem extends Error {
  override readonly name = "BuildProblem";
}
