import type { Hashes } from "@fairtick/domain";
import { createApprovalLedger, type ApprovalLedger } from "./approval-ledger.ts";
import type { BoardReveal } from "./board.ts";
import { createCardLedger, type CardLedger } from "./card-ledger.ts";
import { createEpochLedger, type EpochLedger } from "./epoch-ledger.ts";
import { createHeadLedger, type HeadLedger } from "./head-ledger.ts";
import { createIncidentLedger, type IncidentLedger } from "./incident-ledger.ts";
import { createLiabilityLedger, type LiabilityLedger } from "./liability-ledger.ts";
import { parseLogEntry, type LogEntry, type LogEntryKind, type LogEntryOf } from "./log-entry.ts";
import { faultAt, type Report } from "./log-finding.ts";
import { momentOf, timingMoment } from "./log-moment.ts";
import type { LogReport } from "./log-report.ts";
import { createStatistics } from "./log-statistics.ts";
import { createOrderLedger, type OrderLedger } from "./order-ledger.ts";
import { createPolicyLedger, type PolicyLedger } from "./policy-ledger.ts";
import { createPriceBook, type PriceBook } from "./price-book.ts";
import { createQuoteBook, type QuoteBook } from "./quote-book.ts";
import { createRefusalBook, type RefusalBook, type RefusedOpening } from "./refused-openings.ts";
import { createReleaseLedger, type ReleaseLedger } from "./release-ledger.ts";
import { createSourceLedger, type SourceLedger } from "./source-ledger.ts";
import type { LogReader } from "./tile-tree.ts";
import { createTradedUnpriced, type TradedUnpriced } from "./traded-unpriced.ts";
import type { VerifierPolicy } from "./verifier-policy.ts";
import { createVoidLedger, type VoidLedger } from "./void-ledger.ts";

const decoder = new TextDecoder();
/** Number of entries after which the books drop what is no longer needed. Doing it for each entry would be slow. */
const FORGET_EVERY = 1_000;
/** How long prices are kept for seeds, ms. A seed may come ten minutes after its prices; `keep` covers later ones. */
const KEPT_FOR_SEEDS_MS = 3_600_000n;
/** Margin by which prices are kept longer than anything is known to need them, ms. */
const FORGET_MARGIN_MS = 10_000n;

export interface LogWalkParts {
  readonly hashes: Hashes;
  readonly reader: LogReader;
  readonly policy: VerifierPolicy;
  /** Verifier keys of the witnesses that cosigned the checkpoint. */
  readonly present: ReadonlySet<string>;
  readonly opened: readonly RefusedOpening[];
  readonly reveals: readonly BoardReveal[];
  readonly report: Report;
}

type Counts = Omit<LogReport, "note" | "checkpoint" | "witnesses" | "cosignedAt" | "findings">;
type Judges = {
  readonly [Kind in LogEntryKind]: (index: number, entry: LogEntryOf<Kind>, bytes: Uint8Array) => void | Promise<void>;
};
type Judge = (index: number, entry: LogEntry, bytes: Uint8Array) => void | Promise<void>;

/** Walks through all entries of a log and passes each to the ledgers that check it. */
export class LogWalk {
  readonly #report: Report;
  readonly #book: PriceBook;
  readonly #sources: SourceLedger;
  readonly #incidents: IncidentLedger;
  readonly #epochs: EpochLedger;
  readonly #voids: VoidLedger;
  readonly #orders: OrderLedger;
  readonly #quotes: QuoteBook;
  readonly #policies: PolicyLedger;
  readonly #heads: HeadLedger;
  readonly #cards: CardLedger;
  readonly #liabilities: LiabilityLedger;
  readonly #approvals: ApprovalLedger;
  readonly #releases: ReleaseLedger;
  readonly #traded: TradedUnpriced;
  readonly #opened: RefusalBook | null;
  readonly #statistics: ReturnType<typeof createStatistics>;
  #entries = 0;
  /** The newest moment that earlier entries are timed by, and the newest one of all. */
  #latest = 0n;
  #newest = 0n;

  readonly #judges: Judges = {
    params: (_index, entry, bytes) => this.#epochs.params(decoder.decode(bytes), entry),
    source: (index, entry) => this.#sources.state(index, entry, this.#latest),
    "params.pyth": (index, entry) => this.#quotes.params(index, entry, this.#latest),
    "epoch.commit": (index, entry) => this.#epochs.commit(index, entry, this.#latest),
    "epoch.open": (index, entry) => this.#epochs.open(index, entry, this.#latest),
    "epoch.reveal": (index, entry) => this.#epochs.reveal(index, entry, this.#latest),
    ticks: (index, entry) => this.#judgeTicks(index, entry),
    "orders.accept": (index, entry) => this.#judgeAcceptance(index, entry),
    "orders.settle": (index, entry) => this.#judgeSettlement(index, entry),
    heads: (index, entry) => this.#heads.add(index, entry),
    config: (index, entry) => this.#orders.config(index, entry, this.#latest),
    policy: (index, entry) => this.#policies.add(index, entry, this.#latest),
    card: (index, entry) => this.#cards.add(index, entry),
    liabilities: (index, entry) => this.#liabilities.add(index, entry),
    approval: (index, entry) => this.#approvals.add(index, entry, this.#latest),
    incident: (index, entry) => this.#incidents.add(index, entry, this.#latest),
    release: (index, entry) => {
      this.#incidents.keepsIncidents(index);
      this.#releases.add(index, entry, this.#latest);
    },
    // Devices and keys matter for receipts and pinned keys, not for the log as a whole.
    "device.add": () => {},
    "device.remove": () => {},
    "key.rotate": () => {},
  };

  constructor(parts: LogWalkParts) {
    const { hashes, reader, report, reveals } = parts;
    const book = createPriceBook(hashes, reader, report);
    const sources = createSourceLedger(report, book);
    const incidents = createIncidentLedger(report);
    const voids = createVoidLedger(report, incidents, sources);
    const orders = createOrderLedger({ hashes, reader, report, book, incidents, voids, reveals });
    this.#report = report;
    this.#book = book;
    this.#sources = sources;
    this.#incidents = incidents;
    this.#epochs = createEpochLedger({ ...parts, book, sources, incidents });
    this.#voids = voids;
    this.#orders = orders;
    this.#quotes = createQuoteBook(hashes, reader, report, book, sources);
    this.#policies = createPolicyLedger(hashes, reader, report);
    this.#heads = createHeadLedger(hashes, report, book);
    this.#cards = createCardLedger(report);
    this.#liabilities = createLiabilityLedger(report);
    this.#approvals = createApprovalLedger(report);
    this.#releases = createReleaseLedger(report);
    this.#traded = createTradedUnpriced(report);
    this.#opened = createRefusalBook(hashes, parts.opened, book, (...when) => orders.staleExitMs(...when));
    this.#statistics = createStatistics(this.#opened);
  }

  /** Examines the entry at `index`. Entries must be passed once each, in order. Rejects only if the reader does. */
  async examine(index: number, bytes: Uint8Array): Promise<void> {
    this.#entries += 1;
    const parsed = parseLogEntry(bytes);
    if (parsed.ok) {
      const { entry } = parsed;
      await (this.#judges[entry.kind] as Judge)(index, entry, bytes);
      this.#latest = later(this.#latest, timingMoment(entry) ?? 0n);
      this.#statistics.add(index, entry, this.#latest);
      this.#tell(momentOf(entry));
    } else faultAt(this.#report, "entry", index, parsed.fault);
    if (this.#entries % FORGET_EVERY === 0) this.#forget();
  }

  /** Reports what the log as a whole lacks. `at`: when it was cosigned, ms; 0 if it wasn't. */
  finish(at: bigint): void {
    const newest = this.#newest;
    this.#epochs.finish(newest);
    this.#orders.finish(newest);
    this.#heads.finish(newest, at);
    this.#incidents.finish();
    this.#voids.finish(newest);
    this.#quotes.end();
    this.#traded.finish(later(newest, at));
  }

  counts(): Counts {
    return {
      entries: this.#entries,
      prices: this.#book.count(),
      quotes: this.#quotes.count(),
      epochs: this.#epochs.count(),
      heads: this.#heads.count(),
      ...this.#orders.counts(),
      statistics: this.#statistics.read(),
    };
  }

  async #judgeTicks(index: number, entry: LogEntryOf<"ticks">): Promise<void> {
    this.#traded.priced(entry.time);
    if (!(await this.#book.add(index, entry))) return;
    this.#sources.minute(index, entry);
    await this.#quotes.add(index, entry);
    this.#epochs.pricesAdded(index, entry.symbol, entry.count);
    this.#orders.pricesAdded(entry.symbol);
    this.#heads.pricesAdded();
  }

  #judgeAcceptance(index: number, entry: LogEntryOf<"orders.accept">): void {
    this.#orders.accept(index, entry, this.#latest);
    this.#heads.accept(index, entry);
    // A batch with refusals only needs neither prices nor a witness, so it proves nothing about them.
    if (entry.commitments.length === 0) return;
    this.#epochs.accept(index, entry);
    this.#traded.accept(index, entry.acceptedAt);
  }

  #judgeSettlement(index: number, entry: LogEntryOf<"orders.settle">): Promise<void> {
    for (const order of entry.orders) this.#heads.settle(index, order);
    return this.#orders.settle(index, entry, this.#latest);
  }

  /** Tells the ledgers that wait for something how far the log has come. */
  #tell(moment: bigint): void {
    if (moment <= this.#newest) return;
    this.#newest = moment;
    this.#heads.tell(moment);
    this.#epochs.tell(moment);
  }

  #forget(): void {
    const needed = earlier(this.#opened?.neededFrom() ?? null, this.#latest - KEPT_FOR_SEEDS_MS);
    const before = earlier(this.#orders.neededFrom(this.#latest), needed) - FORGET_MARGIN_MS;
    this.#epochs.keep(before);
    this.#book.forget((symbol) => earlier(this.#epochs.neededFrom(symbol), before));
  }
}

function later(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

function earlier(left: bigint | null, right: bigint): bigint {
  return left !== null && left < right ? left : right;
}
