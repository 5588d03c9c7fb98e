import type { Instant } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import { checkInvariants, type Violation } from "./check-invariants.ts";
import { auditGround, batchesGround, booksGround } from "./sweep-grounds.ts";
import { createSweep } from "./sweep.ts";

/** A violation must be noticed within a minute: two cycles plus their own time. */
const EVERY_MS = 20_000;
/** Each run goes back this far beyond the previous one, so that nothing falls between two snapshots. */
const OVERLAP_MS = 60_000n;
/** How far back the first run after a start looks. */
const FIRST_SPAN_MS = 3_600_000n;
/**
 * Time that a cycle may spend on everything older, by what it examines. docs/benchmarks.md says how much that covers.
 */
const SWEEP_MS = { books: 600, batches: 400, audit: 300 } as const;
/** How many violations `/health/ready` names. */
const NAMED_MAX = 5;

/** What the newest check found. */
export interface InvariantCheck {
  readonly checkedAt: Instant;
  /** One sentence for each violation. */
  readonly broken: readonly string[];
}

export interface InvariantWatch {
  /** Null before the first check has ended. */
  last(): InvariantCheck | null;
  /** Runs the checks now. */
  run(): Promise<void>;
  close(): Promise<void>;
}

export interface WatchOptions {
  /** Stops taking orders while an invariant is broken, and resumes once it holds. */
  readonly acceptance: { stop(reason: string, detail?: string): void; clear(reason: string): void };
}

/**
 * Checks the invariants every 20 s: all of them for what is new, and older facts as far as the time allows, continuing
 * from cycle to cycle. Whatever is broken is checked again until it holds.
 */
export function watchInvariants(
  context: Pick<Context, "databases" | "clock" | "log">,
  { acceptance }: WatchOptions,
): InvariantWatch {
  const { clock, log } = context;
  let since: bigint = clock.now() - FIRST_SPAN_MS;
  let running: Promise<void> | null = null;
  let last: InvariantCheck | null = null;
  const audit = auditGround(context);
  const sweeps = {
    books: createSweep(booksGround(context), clock),
    batches: createSweep(batchesGround(context), clock),
    audit: createSweep(audit, clock),
  };

  async function check(): Promise<void> {
    const startedAt = clock.now();
    try {
      const recent = await checkInvariants(context, since);
      if (recent.length === 0) since = startedAt - OVERLAP_MS;
      const violations = distinct([
        ...recent,
        ...(await audit.newest()),
        ...(await sweeps.books.go(SWEEP_MS.books)),
        ...(await sweeps.batches.go(SWEEP_MS.batches)),
        ...(await sweeps.audit.go(SWEEP_MS.audit)),
      ]);
      last = { checkedAt: clock.now(), broken: violations.map(sentence) };
      if (violations.length === 0) return acceptance.clear("invariant");
      log.fatal({ violations }, "an invariant of the ledger is broken; no orders are taken");
      acceptance.stop("invariant", violations.slice(0, NAMED_MAX).map(sentence).join("; "));
    } catch (error) {
      log.error({ err: error }, "the invariants could not be checked");
    }
  }

  const run = () => {
    running ??= check().finally(() => {
      running = null;
    });
    return running;
  };
  const timer = setInterval(() => void run(), EVERY_MS);
  return {
    last: () => last,
    run,
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}

function sentence({ invariant, about, wrong }: Violation): string {
  return `${invariant}: ${about} ${wrong}`;
}

/** Removes duplicates: the check of new facts and the sweep may find the same violation. */
function distinct(violations: readonly Violation[]): Violation[] {
  return [...new Map(violations.map((each) => [sentence(each), each])).values()];
}
