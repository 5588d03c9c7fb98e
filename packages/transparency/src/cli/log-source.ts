import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LogReader } from "../tile-tree.ts";

const TIMEOUT_MS = 60_000;
const BYTES_MAX = 32_000_000;

/**
 * Opens a log at a URL prefix (`https://host/log`) or in a folder with the same files. Reading returns null for a
 * missing file and rejects on any other error.
 */
export function openLogSource(location: string): LogReader {
  return isServed(location) ? httpLog(location.replace(/\/+$/, "")) : folderLog(location);
}

/**
 * Returns whether the location is the URL of a running house; if not, it is a folder with a copy of what one served.
 */
export function isServed(location: string): boolean {
  return /^https?:\/\//.test(location);
}

function httpLog(prefix: string): LogReader {
  return {
    async read(path) {
      const answer = await fetch(`${prefix}/${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: "error" });
      if (answer.status === 404) {
        await answer.body?.cancel();
        return null;
      }
      if (!answer.ok) throw new Error(`${prefix}/${path}: HTTP ${answer.status}`);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (bytes.length > BYTES_MAX) throw new Error(`${prefix}/${path} is too long`);
      return bytes;
    },
  };
}

function folderLog(folder: string): LogReader {
  return {
    async read(path) {
      try {
        return await readFile(join(folder, path));
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
        throw error;
      }
    },
  };
}
