import { toHex } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { readRelease } from "../release-list.ts";
import type { LogReader } from "../tile-tree.ts";
import type { VerifierPolicy } from "../verifier-policy.ts";
import { isServed, openLogSource } from "./log-source.ts";

/** The command's output, and whether everything that is served matches the log. */
export interface ServedApp {
  readonly lines: readonly string[];
  readonly isSame: boolean;
}

const VERIFIER_PATH = "verifier.tgz";

/**
 * Fetches the files that are served at a house's address and compares each with the release in its log. `policy`:
 * pinned keys. Throws an Error if the address is malformed or unreachable, or if the log has no release.
 */
export async function compareServedApp(address: string, log: LogReader, policy: VerifierPolicy): Promise<ServedApp> {
  if (!isServed(address)) throw new Error(`${address} is no address such as https://host`);
  const served = openLogSource(address);
  const release = await readRelease(nodeHashes, log, policy);
  const wanted = release.files.map(({ path, sha256 }) => ({ path: path.slice(1), sha256 }));
  // Browsers request the page at the bare address.
  const page = wanted.find(({ path }) => path === "index.html");
  if (page !== undefined) wanted.unshift({ path: "", sha256: page.sha256 });
  if (release.verifier !== null) wanted.push({ path: VERIFIER_PATH, sha256: release.verifier });
  const differing: string[] = [];
  for (const { path, sha256 } of wanted) {
    const bytes = await served.read(path);
    const given = bytes === null ? "not served" : toHex(nodeHashes.sha256(bytes));
    if (given !== sha256) differing.push(`differs /${path}: ${given}; the log has ${sha256}`);
  }
  const since = new Date(Number(release.at)).toISOString();
  const isSame = differing.length === 0;
  return {
    isSame,
    lines: [
      `the release of ${since}, entry ${release.index} of the log, has ${release.files.length} files and ${release.verifier === null ? "no verifier" : `the verifier ${release.verifier}`}`,
      ...differing,
      isSame ? "SERVED AS LOGGED" : "NOT SERVED AS LOGGED",
    ],
  };
}
