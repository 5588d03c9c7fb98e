import { toHex } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { checkIsNewest } from "../later-release.ts";
import { judgeAge } from "../log-age.ts";
import type { LogFinding, Report } from "../log-finding.ts";
import { type ProvenRelease, readRelease } from "../release-list.ts";
import type { LogReader } from "../tile-tree.ts";
import type { VerifierPolicy } from "../verifier-policy.ts";
import { findingLine } from "./finding-line.ts";
import { isServed, openLogSource } from "./log-source.ts";
import { readCheckpoint } from "./newest-checkpoint.ts";

/** The command's output, and whether everything that is served matches the log. */
export interface ServedApp {
  readonly lines: readonly string[];
  readonly isSame: boolean;
}

const PAGE_PATH = "index.html";
const VERIFIER_PATH = "verifier.tgz";

/**
 * Fetches the files that are served at a house's address and compares each with the newest release in its log. Throws an
 * Error if the address is malformed or unreachable, if the log shows no release that it has, or if its newest checkpoint
 * doesn't count.
 *
 * @param policy Pinned keys
 * @param now The reader's clock, ms since 1970 UTC; null for a copy of the log, which doesn't grow
 */
export async function compareServedApp(
  address: string,
  log: LogReader,
  policy: VerifierPolicy,
  now: bigint | null,
): Promise<ServedApp> {
  if (!isServed(address)) throw new Error(`${address} is no address such as https://host`);
  const release = await readRelease(nodeHashes, log, policy);
  const findings = await judgeRelease(log, policy, release, now);
  const differing = await compareFiles(openLogSource(address), release);
  const since = new Date(Number(release.at)).toISOString();
  const isSame = differing.length === 0 && findings.every(({ grade }) => grade === "note");
  return {
    isSame,
    lines: [
      `the release of ${since}, entry ${release.index} of the log, has ${release.files.length} files and ${release.verifier === null ? "no verifier" : `the verifier ${release.verifier}`}`,
      ...findings.map(findingLine),
      ...differing,
      isSame ? "SERVED AS LOGGED" : "NOT SERVED AS LOGGED",
    ],
  };
}

/** Judges whether a release is the newest one of the log as it is now. */
async function judgeRelease(
  log: LogReader,
  policy: VerifierPolicy,
  release: ProvenRelease,
  now: bigint | null,
): Promise<LogFinding[]> {
  const newest = await readCheckpoint(log, policy);
  if (typeof newest === "string") throw new Error(`the log's newest checkpoint doesn't count: ${newest}`);
  const findings: LogFinding[] = [];
  const report: Report = (finding) => findings.push(finding);
  // A log of yesterday can't show that no release came since.
  if (now !== null) judgeAge(report, newest.logAt, now);
  await checkIsNewest(nodeHashes, log, newest.checkpoint, release, report);
  return findings;
}

/** Returns a line for each path whose content isn't the release's. */
async function compareFiles(served: LogReader, release: ProvenRelease): Promise<string[]> {
  const differing: string[] = [];
  for (const { path, sha256 } of wantedOf(release)) {
    const bytes = await served.read(path);
    const given = bytes === null ? null : toHex(nodeHashes.sha256(bytes));
    if (given !== sha256)
      differing.push(`differs /${path}: ${given ?? "not served"}; the log has ${sha256 ?? "nothing there"}`);
  }
  return differing;
}

/** Lists what must be served by path, and with null where nothing may be: a page or verifier that no release names. */
function wantedOf({ files, verifier }: ProvenRelease): { readonly path: string; readonly sha256: string | null }[] {
  const named = files.map(({ path, sha256 }) => ({ path: path.slice(1), sha256 }));
  const page = named.find(({ path }) => path === PAGE_PATH)?.sha256 ?? null;
  return [
    // Browsers request the page at the bare address.
    { path: "", sha256: page },
    ...(page === null ? [{ path: PAGE_PATH, sha256: null }] : []),
    ...named,
    { path: VERIFIER_PATH, sha256: verifier },
  ];
}
