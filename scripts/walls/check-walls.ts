import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Manifest, undeclared, unused } from "./declared.ts";
import { type Import, importsOf, readSources } from "./import-graph.ts";
import { WALLS } from "./walls.ts";

/** Reads the manifests of the root and of every workspace. */
export function readManifests(root: string): Manifest[] {
  const rootManifest = readManifest(root, "");
  const folders = rootManifest.workspaces.flatMap((pattern) => globSync(`${pattern}/package.json`, { cwd: root }));
  return [rootManifest.manifest, ...folders.map((path) => readManifest(root, dirname(path)).manifest)];
}

function readManifest(root: string, folder: string) {
  const json = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly workspaces?: readonly string[];
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
  };
  const manifest: Manifest = {
    folder,
    name: json.name,
    dependencies: new Set(Object.keys(json.dependencies ?? {})),
    devDependencies: new Set(Object.keys(json.devDependencies ?? {})),
  };
  return { manifest, workspaces: json.workspaces ?? [] };
}

/** Lists every import that breaches a wall, with file, line and what to do instead. */
export function breaches(imports: readonly Import[]): string[] {
  return imports.flatMap((found) =>
    WALLS.filter((wall) => wall.forbids(found)).map(
      ({ name, message }) => `${found.from}:${found.line} imports ${found.specifier} (${name}). ${message}`,
    ),
  );
}

/**
 * Checks the whole project for breached walls, undeclared packages and unused ones. An empty list means that all is
 * well.
 */
export function examine(root: string): string[] {
  const imports = readSources(root).flatMap(importsOf);
  const manifests = readManifests(root);
  return [...breaches(imports), ...undeclared(imports, manifests), ...unused(imports, manifests)];
}

if (import.meta.main) {
  const problems = examine(join(import.meta.dirname, "../.."));
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
