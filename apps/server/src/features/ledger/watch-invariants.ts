import type { Context } from "../../platform/context.ts";
import { checkInvariants, type Violation } from "./check-invariants.ts";
import { auditGround, batchesGround, booksGround } from "./sweep-grounds.ts";
import { createSweep } from "./sweep.ts";

/** Something wrong is to be noticed within a minute: two cycles and what they take. */
const EVERY_MS = 20_000;
/** Each run goes back this much beyond the one before, so that nothing falls between two snapshots. */
const OVERLAP_MS = 60_000n;
/** What the first run after a start examines. */
const FIRST_SPAN_MS = 3_600_000n;
/** What a cycle may spend on all that is older, by what it looks at; docs/benchmarks.md has what that reaches. */
const SWEEP_MS = { books: 600, batches: 400, audit: 300 } as const;
/** As many are named on `/health/ready`. */
const NAMED_MAX = 5;

export interface InvariantWatch {
  /** Runs the checks now. */
  run(): Promise<void>;
  close(): Promise<void>;
}

export interface WatchOptions {
  /** Stops taking orders while an invariant is broken, and takes them again once it holds. */
  readonly acceptance: { stop(reason: string, detail?: string): void; clear(reason: string): void };
}

/**
 * Checks the invariants every 20 s: all of them over what has happened since, and as far as its time reaches what is older,
 * going on from cycle to cycle. What is broken is looked at again until it holds.
 */
export function watchInvariants(
  context: Pick<Context, "databases" | "clock" | "log">,
  { acceptance }: WatchOptions,
): InvariantWatch {
  const { clock, log } = context;
  let since: bigint = clock.now() - FIRST_SPAN_MS;
  let running: Promise<void> | null = null;
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

/** The newest part and the sweep see the same thing twice. */
function distinct(violations: readonly Violation[]): Violation[] {
  return [...new Map(violations.map((each) => [sentence(each), each])).values()];
}
