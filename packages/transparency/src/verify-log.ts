import { equalBytes, merkleLeaf, type Hashes } from "@fairtick/domain";
import { createApprovalLedger } from "./approval-ledger.ts";
import type { BoardReveal } from "./board.ts";
import { createCardLedger } from "./card-ledger.ts";
import { openCheckpoint, type Checkpoint } from "./checkpoint.ts";
import { createEpochLedger, type EpochLedger } from "./epoch-ledger.ts";
import { parseLogEntry, type LogEntry } from "./log-entry.ts";
import { faultAt, type LogFinding, type Report } from "./log-finding.ts";
import { createHeadLedger } from "./head-ledger.ts";
import { createIncidentLedger } from "./incident-ledger.ts";
import { createLiabilityLedger } from "./liability-ledger.ts";
import { cosignedAt, judgeAge } from "./log-age.ts";
import type { BesideLog, LogReport } from "./log-report.ts";
import { createOrderLedger, type OrderLedger } from "./order-ledger.ts";
import { createStatistics } from "./log-statistics.ts";
import { createPolicyLedger } from "./policy-ledger.ts";
import { createPriceBook, type PriceBook } from "./price-book.ts";
import { createQuoteBook } from "./quote-book.ts";
import { createRefusalBook, type RefusedOpening } from "./refused-openings.ts";
import { createReleaseLedger } from "./release-ledger.ts";
import { createSourceLedger } from "./source-ledger.ts";
import { formatVerifierKey } from "./keys.ts";
import { LogFileError, readEntries, type LogReader } from "./tile-tree.ts";
import { TILE_WIDTH } from "./tile-path.ts";
import { EMPTY_EDGE, edgeRoot, growEdge, type TreeEdge } from "./tree-edge.ts";
import { createTradedUnpriced } from "./traded-unpriced.ts";
import type { VerifierPolicy } from "./verifier-policy.ts";
import { createVoidLedger } from "./void-ledger.ts";

const decoder = new TextDecoder();

/**
 * Examines a log: its signature and witnesses, that it grew out of an earlier checkpoint (`since`, a signed note kept from
 * then), every entry, every price against its seed, and every settlement against the prices. It always begins at the first
 * entry, since new entries depend on configurations, epochs, batches and prices before them. `now` is the reader's clock in
 * milliseconds; null for a copy, which does not grow. `beside`: what the reader has that isn't in the log. Rejects only
 * where the reader does.
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
  const before = since === null ? null : openCheckpoint(since, policy);
  const cosigned = opened?.ok === true ? opened.witnesses : [];
  const present = new Set(cosigned.map(({ key }) => formatVerifierKey(key)));
  const walk = createWalk({ hashes, reader, policy, present, reveals: [], opened: [], ...beside }, report);
  const at = opened?.ok === true ? cosignedAt(opened.witnesses, policy.witnessesNeeded) : null;
  const answer = (checkpoint: Checkpoint | null, witnesses: readonly string[]): LogReport => ({
    note,
    checkpoint,
    witnesses,
    cosignedAt: at,
    findings,
    ...walk.counts(),
  });
  if (opened === null || !opened.ok) {
    faultAt(report, "checkpoint", null, opened === null ? "there is no checkpoint" : opened.fault);
    return answer(null, []);
  }
  const { checkpoint } = opened;
  const witnesses = opened.witnesses.map((signer) => signer.key.name);
  if (witnesses.length < policy.witnessesNeeded) {
    faultAt(report, "checkpoint", null, `${witnesses.length} of ${policy.witnessesNeeded} witnesses cosigned`);
  } else if (now !== null) judgeAge(report, at, now);
  if (before !== null && !before.ok) {
    faultAt(report, "checkpoint", null, `the earlier checkpoint: ${before.fault}`);
    return answer(checkpoint, witnesses);
  }
  try {
    const earlier = before?.checkpoint ?? { size: 0, root: edgeRoot(hashes, EMPTY_EDGE) };
    const examine = (index: number, entry: Uint8Array) => walk.examine(index, entry);
    const stretch = { hashes, reader, size: checkpoint.size, examine };
    const start = earlier.size > checkpoint.size ? null : await walkEntries(stretch, EMPTY_EDGE, earlier.size);
    if (start === null || !equalBytes(edgeRoot(hashes, start), earlier.root)) {
      faultAt(report, "tree", null, "the log did not grow out of the earlier checkpoint: it was forked or rolled back");
      return answer(checkpoint, witnesses);
    }
    const edge = await walkEntries(stretch, start, checkpoint.size);
    if (!equalBytes(edgeRoot(hashes, edge), checkpoint.root)) {
      faultAt(report, "tree", null, "the entries do not hash to the checkpoint's root");
    }
    walk.finish(at ?? 0n);
  } catch (error) {
    if (!(error instanceof LogFileError)) throw error;
    faultAt(report, "tree", null, error.message);
  }
  return answer(checkpoint, witnesses);
}

interface Stretch {
  readonly hashes: Hashes;
  readonly reader: LogReader;
  /** Of the whole log. */
  readonly size: number;
  readonly examine: (index: number, entry: Uint8Array) => Promise<void>;
}

/** Goes on from `start` until that many entries are read. */
async function walkEntries(stretch: Stretch, start: TreeEdge, until: number): Promise<TreeEdge> {
  const { hashes, reader, size, examine } = stretch;
  let edge = start;
  while (edge.size < until) {
    const bundle = Math.floor(edge.size / TILE_WIDTH);
    const from = bundle * TILE_WIDTH;
    const entries = (await readEntries(reader, size, bundle)).slice(edge.size - from, until - from);
    for (const [place, entry] of entries.entries()) await examine(edge.size + place, entry);
    edge = growEdge(
      hashes,
      edge,
      entries.map((entry) => merkleLeaf(hashes, entry)),
    ).edge;
  }
  return edge;
}

interface WalkParts {
  readonly hashes: Hashes;
  readonly reader: LogReader;
  readonly policy: VerifierPolicy;
  /** Verifier keys of the witnesses that cosigned the checkpoint. */
  readonly present: ReadonlySet<string>;
  readonly opened: readonly RefusedOpening[];
  readonly reveals: readonly BoardReveal[];
}

/** The state of one walk through the entries. */
function createWalk(parts: WalkParts, report: Report) {
  const { hashes, reader } = parts;
  const book: PriceBook = createPriceBook(hashes, reader, report);
  const sources = createSourceLedger(report, book);
  const incidents = createIncidentLedger(report);
  const epochs: EpochLedger = createEpochLedger({ ...parts, report, book, sources, incidents });
  const voids = createVoidLedger(report, incidents, sources);
  const { reveals } = parts;
  const orders: OrderLedger = createOrderLedger({ hashes, reader, report, book, incidents, voids, reveals });
  const quotes = createQuoteBook(hashes, reader, report, book, sources);
  const policies = createPolicyLedger(hashes, reader, report);
  const heads = createHeadLedger(hashes, report, book);
  const cards = createCardLedger(report);
  const liabilities = createLiabilityLedger(report);
  const approvals = createApprovalLedger(report);
  const releases = createReleaseLedger(report);
  const traded = createTradedUnpriced(report);
  const opened = createRefusalBook(hashes, parts.opened, book, (...when) => orders.staleExitMs(...when));
  const statistics = createStatistics(opened);
  let [entries, latest] = [0, 0n];
  /** Like `latest`, and of entries that nothing is timed by. */
  let told = 0n;

  async function judge(index: number, bytes: Uint8Array, entry: LogEntry): Promise<void> {
    switch (entry.kind) {
      case "params":
        return epochs.params(decoder.decode(bytes), entry);
      case "source":
        return sources.state(index, entry, latest);
      case "params.pyth":
        return quotes.params(index, entry, latest);
      case "epoch.commit":
        return epochs.commit(index, entry, latest);
      case "epoch.open":
        return epochs.open(index, entry, latest);
      case "epoch.reveal":
        return epochs.reveal(index, entry, latest);
      case "ticks":
        latest = later(latest, entry.time + 59_999n);
        traded.priced(entry.time);
        if (await book.add(index, entry)) {
          sources.minute(index, entry);
          await quotes.add(index, entry);
          epochs.pricesAdded(index, entry.symbol, entry.count);
          orders.pricesAdded(entry.symbol);
          heads.pricesAdded();
        }
        return;
      case "orders.accept":
        orders.accept(index, entry, latest);
        heads.accept(index, entry);
        // Refusals alone show neither a price nor a witness: both are asked of what is accepted.
        if (entry.commitments.length > 0) {
          epochs.accept(index, entry);
          traded.accept(index, entry.acceptedAt);
        }
        latest = later(latest, entry.acceptedAt);
        return;
      case "orders.settle":
        latest = later(latest, entry.settledAt);
        for (const order of entry.orders) heads.settle(index, order);
        return orders.settle(index, entry);
      case "heads":
        return heads.add(index, entry);
      case "config":
        return orders.config(index, entry, latest);
      case "policy":
        return policies.add(index, entry, latest);
      case "card":
        told = later(told, entry.at);
        return cards.add(index, entry);
      case "liabilities":
        told = later(told, entry.at);
        return liabilities.add(index, entry);
      case "approval":
        told = later(told, entry.at);
        return approvals.add(index, entry, latest);
      case "incident":
        told = later(told, entry.at);
        return incidents.add(index, entry, latest);
      case "release":
        told = later(told, entry.at);
        incidents.keepsIncidents(index);
        return releases.add(index, entry, latest);
      case "device.add":
      case "device.remove":
        told = later(told, entry.at);
        return;
      case "key.rotate":
    }
  }

  return {
    async examine(index: number, bytes: Uint8Array): Promise<void> {
      entries += 1;
      const parsed = parseLogEntry(bytes);
      if (!parsed.ok) faultAt(report, "entry", index, parsed.fault);
      else {
        const before = later(told, latest);
        await judge(index, bytes, parsed.entry);
        statistics.add(parsed.entry);
        const now = later(told, latest);
        if (now > before) {
          heads.tell(now);
          epochs.tell(now);
        }
      }
      // A seed comes ten minutes after its prices at the earliest: an hour of them is kept for it, and the epoch's own for longer.
      if (entries % 1_000 === 0) {
        const needed = earlier(opened?.neededFrom() ?? null, latest - 3_600_000n);
        const before = earlier(orders.neededFrom(latest), needed) - 10_000n;
        epochs.keep(before);
        book.forget((symbol) => earlier(epochs.neededFrom(symbol), before));
      }
    },
    /** `at`: when it was cosigned. */
    finish(at: bigint) {
      const newest = later(told, latest);
      epochs.finish(newest);
      orders.finish(newest);
      heads.finish(newest, at);
      incidents.finish();
      voids.finish(newest);
      quotes.end();
      traded.finish(later(newest, at));
    },
    counts: () => ({
      entries,
      prices: book.count(),
      quotes: quotes.count(),
      epochs: epochs.count(),
      heads: heads.count(),
      ...orders.counts(),
      statistics: statistics.read(),
    }),
  };
}

function later(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

function earlier(left: bigint | null, right: bigint): bigint {
  return left !== null && left < right ? left : right;
}
