import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Following } from "../fork-part.ts";

const REPORTER = join(import.meta.dirname, "report-loaded.mjs");

/** Tracks which files each running part has loaded. */
export interface LoadedFiles {
  /** For the code that starts the parts. */
  readonly following: Following;
  /** Returns the parts whose running process has loaded the file, given by its absolute path. */
  partsWith(path: string): string[];
}

interface LoadedMessage {
  readonly kind: "loaded";
  readonly url: string;
}

/** Tracks processes from their start. A part that is restarted begins with an empty list. */
export function followLoadedFiles(): LoadedFiles {
  const loaded = new Map<string, Set<string>>();
  return {
    following: {
      execArgv: ["--import", pathToFileURL(REPORTER).href],
      begun(part, child) {
        const files = new Set<string>();
        loaded.set(part, files);
        child.on("message", (message: unknown) => {
          if (isLoaded(message)) files.add(fileURLToPath(message.url));
        });
      },
    },
    partsWith: (path) => [...loaded].filter(([, files]) => files.has(path)).map(([part]) => part),
  };
}

function isLoaded(message: unknown): message is LoadedMessage {
  return message !== null && typeof message === "object" && "kind" in message && message.kind === "loaded";
}
