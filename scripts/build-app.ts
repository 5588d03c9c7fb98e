import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { buildAnew, buildOnce, type Product } from "./build-once.ts";

const PROJECT = resolve(import.meta.dirname, "..");
/** The sources of each app, besides its own folder. */
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

/** Builds each app that has no build of its present sources. Returns the ones it built. */
export async function buildStaleApps(names: readonly AppName[] = APP_NAMES): Promise<readonly AppName[]> {
  const built = await Promise.all(names.map((name) => buildOnce(productOf(name))));
  return names.filter((_, place) => built[place]);
}

/** Builds an app whatever is there already. */
export function buildAppAnew(name: AppName): Promise<void> {
  return buildAnew(productOf(name));
}

function productOf(name: AppName): Product {
  return {
    output: join(PROJECT, "apps", name, "dist"),
    sources: [`apps/${name}`, ...SOURCES[name], "package-lock.json"],
    build: (draft) => buildApp(name, draft),
  };
}

/**
 * Builds an app into a folder; `project` may be another copy of the sources. Throws with the builder's output if it
 * fails.
 */
export async function buildApp(name: AppName, folder: string, project = PROJECT): Promise<void> {
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
