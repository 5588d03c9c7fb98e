import { equalBytes, merkleLeaf, type Hashes } from "@fairtick/domain";
import { openCheckpoint, type Checkpoint } from "./checkpoint.ts";
import { formatVerifierKey } from "./keys.ts";
import { cosignedAt, judgeAge } from "./log-age.ts";
import { faultAt, type LogFinding, type Report } from "./log-finding.ts";
import type { BesideLog, LogReport } from "./log-report.ts";
import { LogWalk } from "./log-walk.ts";
import { LogFileError, readEntries, type LogReader } from "./tile-tree.ts";
import { TILE_WIDTH } from "./tile-path.ts";
import { EMPTY_EDGE, edgeRoot, growEdge, type TreeEdge } from "./tree-edge.ts";
import type { VerifierPolicy } from "./verifier-policy.ts";

const decoder = new TextDecoder();

/**
 * Verifies a log: its signature and witnesses, that it extends an earlier checkpoint, every entry, every price against
 * its seed, and every settlement against the prices. It always begins at the first entry, since new entries depend on
 * earlier configurations, epochs, batches and prices. Rejects only if `reader` does.
 *
 * @param since Signed note of an earlier checkpoint that the caller kept; null for none
 * @param now The reader's clock, ms since 1970 UTC; null for a copy, which doesn't grow
 * @param beside Evidence from outside the log
 */
export async function verifyLog(
  hashes: Hashes,
  reader: LogReader,
  policy: VerifierPolicy,
  since: string | null = null,
  now: bigint | null = null,
  beside: BesideLog = {},
): Promise<LogReport> {
  const findings: LogFinding[] = [];
  const report: Report = (finding) => findings.push(finding);
  const bytes = await reader.read("checkpoint");
  const note = bytes === null ? null : decoder.decode(bytes);
  const opened = note === null ? null : openCheckpoint(note, policy);
  const [checkpoint, signers] = opened?.ok === true ? [opened.checkpoint, opened.witnesses] : [null, []];
  const at = cosignedAt(signers, policy.witnessesNeeded);
  const present = new Set(signers.map(({ key }) => formatVerifierKey(key)));
  const walk = new LogWalk({ hashes, reader, policy, present, report, reveals: [], opened: [], ...beside });
  if (checkpoint === null) {
    faultAt(report, "checkpoint", null, opened?.ok === false ? opened.fault : "there is no checkpoint");
  } else {
    if (signers.length < policy.witnessesNeeded) {
      faultAt(report, "checkpoint", null, `${signers.length} of ${policy.witnessesNeeded} witnesses cosigned`);
    } else if (now !== null) judgeAge(report, at, now);
    const earlier = openEarlier(hashes, since, policy, report);
    if (earlier !== null) await examineEntries({ hashes, reader, report, walk, checkpoint }, earlier, at ?? 0n);
  }
  const witnesses = signers.map(({ key }) => key.name);
  return { note, checkpoint, witnesses, cosignedAt: at, findings, ...walk.counts() };
}

/** Size and root of the tree that the log must begin with. */
type Beginning = Pick<Checkpoint, "size" | "root">;

/** Opens the kept checkpoint, or an empty tree if there is none. Null, with a fault reported, if it is invalid. */
function openEarlier(hashes: Hashes, since: string | null, policy: VerifierPolicy, report: Report): Beginning | null {
  if (since === null) return { size: 0, root: edgeRoot(hashes, EMPTY_EDGE) };
  const opened = openCheckpoint(since, policy);
  if (opened.ok) return opened.checkpoint;
  faultAt(report, "checkpoint", null, `the earlier checkpoint: ${opened.fault}`);
  return null;
}

interface Examination {
  readonly hashes: Hashes;
  readonly reader: LogReader;
  readonly report: Report;
  readonly walk: LogWalk;
  /** The checkpoint of the whole log. */
  readonly checkpoint: Checkpoint;
}

/** Examines every entry, and checks that they hash to the checkpoint's tree and, on the way, to the earlier one's. */
async function examineEntries(examination: Examination, earlier: Beginning, at: bigint): Promise<void> {
  const { hashes, report, walk, checkpoint } = examination;
  try {
    const start = earlier.size > checkpoint.size ? null : await walkEntries(examination, EMPTY_EDGE, earlier.size);
    if (start === null || !equalBytes(edgeRoot(hashes, start), earlier.root)) {
      faultAt(report, "tree", null, "the log did not grow out of the earlier checkpoint: it was forked or rolled back");
      return;
    }
    const edge = await walkEntries(examination, start, checkpoint.size);
    if (!equalBytes(edgeRoot(hashes, edge), checkpoint.root)) {
      faultAt(report, "tree", null, "the entries do not hash to the checkpoint's root");
    }
    walk.finish(at);
  } catch (error) {
    if (!(error instanceof LogFileError)) throw error;
    faultAt(report, "tree", null, error.message);
  }
}

/** Examines entries from the edge `start` on until the tree has `until` entries, and returns its edge then. */
async function walkEntries(examination: Examination, start: TreeEdge, until: number): Promise<TreeEdge> {
  const { hashes, reader, walk, checkpoint } = examination;
  let edge = start;
  while (edge.size < until) {
    const bundle = Math.floor(edge.size / TILE_WIDTH);
    const from = bundle * TILE_WIDTH;
    const read = await readEntries(reader, checkpoint.size, bundle);
    const entries = read.slice(edge.size - from, until - from);
    for (const [place, entry] of entries.entries()) await walk.examine(edge.size + place, entry);
    edge = growEdge(
      hashes,
      edge,
      entries.map((entry) => merkleLeaf(hashes, entry)),
    ).edge;
  }
  return edge;
}
