import { createHash } from "node:crypto";
import { releaseList } from "@fairtick/transparency";
import { readServedFiles } from "../../platform/http/index.ts";

/** What this build serves to everyone. */
export interface Release {
  /** The list of the app's files, as the log's entry hashes it. Empty if no app was built. */
  readonly list: string;
  readonly files: number;
  /** SHA-256 of the list in hexadecimal. */
  readonly app: string;
  /** SHA-256 of the verifier's tarball; null if none was packed. */
  readonly verifier: string | null;
}

/** Reads a built app's folder once, as it is served. */
export function readRelease(appFolder: string, verifier: string | null): Release {
  const served = [...readServedFiles(appFolder)];
  const list = releaseList(served.map(([path, body]) => ({ path, sha256: sha256(body) })));
  return { list, files: served.length, app: sha256(list), verifier };
}

function sha256(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex");
}
