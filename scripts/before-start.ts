import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import {
  checkFreeSpace,
  FREE_BYTES_MIN,
  giveUpOwnership,
  noSpace,
  ownedFolderAt,
  takeOwnership,
} from "@fairtick/postgres";
import { FamilyProblem } from "./family.ts";

/** Refuses a port that is in use. Checked before anything starts, because it is the most common mistake. */
export async function refuseTakenPort(host: string, port: number, setting: "PORT" | "CONSOLE_PORT"): Promise<void> {
  if (port === 0) return;
  await new Promise<void>((resolvePort, reject) => {
    const probe = createServer();
    probe.once("error", (error) => {
      const code = "code" in error ? error.code : "";
      if (code === "EADDRINUSE") {
        reject(
          new FamilyProblem(
            `Port ${port} is in use by another program. Stop that program, or choose another port: ${setting}=${port + 10} npm start`,
          ),
        );
      } else if (code === "EACCES") {
        reject(
          new FamilyProblem(
            `This user may not listen on port ${port}. Choose one above 1023: ${setting}=8080 npm start`,
          ),
        );
      } else {
        reject(
          new FamilyProblem(`${host}:${port} cannot be listened on (${error.message}). Correct HOST or ${setting}.`),
        );
      }
    });
    probe.listen(port, host, () => {
      probe.close(() => {
        resolvePort();
      });
    });
  });
}

/** Refuses a full disk before anything is written, because half a seed or half a chain would be worse than none. */
export function refuseFullDisk(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    if (isNoSpace(error)) throw noSpace(folder);
    // Any other problem is reported by the part that writes there first.
    return;
  }
  checkFreeSpace(folder, FREE_BYTES_MIN);
}

/**
 * Locks a data folder for one start, because a second one would end the first one's test chain before it noticed.
 * Returns
 * the function that unlocks it.
 */
export function takeFolder(dataDir: string): () => void {
  const folder = ownedFolderAt(dataDir);
  takeOwnership(folder);
  return () => {
    giveUpOwnership(folder);
  };
}

/** Returns whether the error says that the disk is full. */
export function isNoSpace(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOSPC";
}
