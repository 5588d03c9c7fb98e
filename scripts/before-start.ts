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

/** Said before anything is started, since it is the commonest fault of all. */
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

/** Before anything is written there: half a seed or half a chain would be worse than none. */
export function refuseFullDisk(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    if (isNoSpace(error)) throw noSpace(folder);
    // Whoever writes there first says what else is wrong with it.
    return;
  }
  checkFreeSpace(folder, FREE_BYTES_MIN);
}

/**
 * One start at a time works in a data folder: a second one would end the test chain of the first before it noticed. Answers
 * how to give it up.
 */
export function takeFolder(dataDir: string): () => void {
  const folder = ownedFolderAt(dataDir);
  takeOwnership(folder);
  return () => {
    giveUpOwnership(folder);
  };
}

/** Whether the disk is full. */
export function isNoSpace(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOSPC";
}
