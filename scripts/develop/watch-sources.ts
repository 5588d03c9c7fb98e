import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { basename, join } from "node:path";

/** Editors write a file in several steps; changes within this time are reported together. */
const TOGETHER_MS = 60;
const SKIPPED = new Set(["node_modules", "dist", ".types", ".git"]);

export interface Watch {
  close(): void;
}

/**
 * Watches folders and everything in them, including folders created later. Reports the absolute paths that were
 * written,
 * touched, created or removed, with simultaneous changes together.
 */
export function watchSources(folders: readonly string[], onChange: (paths: readonly string[]) => void): Watch {
  const watchers = new Map<string, FSWatcher>();
  let changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function note(path: string): void {
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const paths = [...changed];
      changed = new Set();
      onChange(paths);
    }, TOGETHER_MS);
  }

  function add(folder: string): void {
    if (watchers.has(folder) || SKIPPED.has(basename(folder))) return;
    try {
      const watcher = watch(folder, (_event, name) => {
        if (name === null) return;
        const path = join(folder, name);
        if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) add(path);
        else note(path);
      });
      watcher.on("error", () => remove(folder));
      watchers.set(folder, watcher);
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isDirectory()) add(join(folder, entry.name));
    } catch (error) {
      // Removed between the event and now.
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }

  function remove(folder: string): void {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  }

  for (const folder of folders) add(folder);
  return {
    close() {
      clearTimeout(timer);
      for (const folder of watchers.keys()) remove(folder);
    },
  };
}
