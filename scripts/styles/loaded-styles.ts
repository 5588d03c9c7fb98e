/**
 * Finds classes whose styles aren't loaded with the part of the app that uses them. A stylesheet comes with the modules
 * that import it. A component that relies on another screen's looks right only once that screen has been opened.
 */
import type { SourceFile } from "../walls/import-graph.ts";
import { AppParts } from "./app-parts.ts";
import { classesIn, classesOf } from "./class-names.ts";

/** `<file> .<class>` → why it may lack its styles where they aren't loaded. */
export type Exceptions = Readonly<Record<string, string>>;

/**
 * Returns a sentence for each class that the app's modules use where its styles may be missing. `main` is the module that
 * runs first; whatever it and its imports load by `import()` comes later.
 */
export function findUnloadedStyles(files: readonly SourceFile[], main: string, exceptions: Exceptions = {}): string[] {
  const app = new AppParts(files);
  const sheets = sheetsByClass(files);
  const used = new Map(files.map((file) => [file.path, file.path.endsWith(".tsx") ? classesOf(file) : []]));
  const problems = new Map<string, string>();
  for (const [part, loaded] of loadedWith(app, main)) {
    for (const path of app.together(part)) {
      for (const name of used.get(path) ?? []) {
        const [defined, place] = [sheets.get(name) ?? [], `${path} .${name}`];
        if (defined.length === 0 || defined.some((sheet) => loaded.has(sheet)) || place in exceptions) continue;
        problems.set(place, `${place} is styled in ${defined.join(", ")}, which doesn't come with ${part}`);
      }
    }
  }
  return [...problems.values()];
}

/** Returns the stylesheets that have rules for each class. */
function sheetsByClass(files: readonly SourceFile[]): Map<string, string[]> {
  const sheets = new Map<string, string[]>();
  for (const { path, text } of files) {
    if (!path.endsWith(".css")) continue;
    for (const name of classesIn(text)) sheets.set(name, [...(sheets.get(name) ?? []), path]);
  }
  return sheets;
}

/**
 * Returns the stylesheets that are surely there once each part is: its own, and those of the parts that load it. If
 * several do, only what all of them bring counts.
 */
function loadedWith(app: AppParts, main: string): Map<string, ReadonlySet<string>> {
  const own = new Map(
    [...app.from(main)].map((part) => [part, new Set([...app.together(part)].filter((path) => path.endsWith(".css")))]),
  );
  const loaders = new Map<string, string[]>();
  for (const part of own.keys())
    for (const other of app.later(part)) loaders.set(other, [...(loaders.get(other) ?? []), part]);
  const every = new Set([...own.values()].flatMap((sheets) => Array.from(sheets)));
  const loaded = new Map<string, ReadonlySet<string>>([...own.keys()].map((part) => [part, every]));
  loaded.set(main, own.get(main) ?? new Set());
  // Starts from everything and takes away, because parts may load each other.
  for (let isChanging = true; isChanging;) {
    isChanging = false;
    for (const [part, sheets] of own) {
      if (part === main) continue;
      const brought = (loaders.get(part) ?? []).map((other) => loaded.get(other) ?? every);
      const isThere = (sheet: string) => sheets.has(sheet) || brought.every((other) => other.has(sheet));
      const now = new Set([...every].filter(isThere));
      isChanging ||= now.size < (loaded.get(part)?.size ?? 0);
      loaded.set(part, now);
    }
  }
  return loaded;
}
