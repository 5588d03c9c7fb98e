import { dirname, join, normalize } from "node:path";
import { importsOf, type SourceFile } from "../walls/import-graph.ts";

/** The package of components, and where its modules are. */
const UI = { name: "@fairtick/ui", folder: "packages/ui/src" };
const CSS_IMPORT = /@import\s+"([^"]+)"/g;

interface Found {
  readonly kind: "static" | "dynamic" | "type";
  readonly file: string;
}

/** The modules and stylesheets of an app, and which of them are loaded together. A part is a module loaded by itself. */
export class AppParts {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #imports = new Map<string, readonly Found[]>();
  readonly #together = new Map<string, ReadonlySet<string>>();

  constructor(files: readonly SourceFile[]) {
    this.#texts = new Map(files.map(({ path, text }) => [path, text]));
  }

  /** Returns the part that runs first and every part that may be loaded after it. */
  from(main: string): ReadonlySet<string> {
    const parts = new Set([main]);
    for (const part of parts) for (const other of this.later(part)) parts.add(other);
    return parts;
  }

  /** Returns the modules and stylesheets that are loaded with a part, itself included. */
  together(part: string): ReadonlySet<string> {
    const known = this.#together.get(part);
    if (known) return known;
    const found = new Set([part]);
    for (const path of found) for (const file of this.#importedBy(path, "static")) found.add(file);
    this.#together.set(part, found);
    return found;
  }

  /** Returns the parts that a part loads when it needs them. */
  later(part: string): ReadonlySet<string> {
    return new Set([...this.together(part)].flatMap((path) => this.#importedBy(path, "dynamic")));
  }

  #importedBy(path: string, kind: Found["kind"]): string[] {
    const known = this.#imports.get(path) ?? this.#read(path);
    this.#imports.set(path, known);
    return known.filter((one) => one.kind === kind).map(({ file }) => file);
  }

  #read(path: string): Found[] {
    const text = this.#texts.get(path) ?? "";
    const named = path.endsWith(".css")
      ? [...text.matchAll(CSS_IMPORT)].map(([, specifier = ""]) => ({ kind: "static" as const, specifier }))
      : importsOf({ path, text });
    return named
      .map(({ kind, specifier }) => ({ kind, file: fileOf(path, specifier) }))
      .filter(({ file }) => this.#texts.has(file));
  }
}

function fileOf(from: string, specifier: string): string {
  if (specifier === UI.name) return `${UI.folder}/index.ts`;
  if (specifier.startsWith(`${UI.name}/`)) return `${UI.folder}/${specifier.slice(UI.name.length + 1)}`;
  return normalize(join(dirname(from), specifier));
}
