import type { Context } from "../../platform/context.ts";
import { checkInvariants } from "./check-invariants.ts";

const EVERY_MS = 60_000;
/** Each run goes back this much beyond the one before, so that nothing falls between two snapshots. */
const OVERLAP_MS = 60_000n;
/** What the first run after a start examines. */
const FIRST_SPAN_MS = 3_600_000n;

export interface InvariantWatch {
  /** Runs the checks now. */
  run(): Promise<void>;
  close(): Promise<void>;
}

export interface WatchOptions {
  /** Stops taking orders while an invariant is broken, and takes them again once it holds. */
  readonly acceptance: { stop(reason: string, detail?: string): void; clear(reason: string): void };
}

/** Checks the invariants each minute over what has happened since. A broken one is looked at again until it holds. */
export function watchInvariants(
  context: Pick<Context, "databases" | "clock" | "log">,
  { acceptance }: WatchOptions,
): InvariantWatch {
  const { clock, log } = context;
  let since: bigint = clock.now() - FIRST_SPAN_MS;
  let running: Promise<void> | null = null;

  async function check(): Promise<void> {
    const startedAt = clock.now();
    try {
      const violations = await checkInvariants(context, since);
      const [first] = violations;
      if (first === undefined) {
        since = startedAt - OVERLAP_MS;
        acceptance.clear("invariant");
        return;
      }
      log.fatal({ violations }, "an invariant of the ledger is broken; no orders are taken");
      acceptance.stop("invariant", `${first.invariant}: ${first.about} ${first.wrong}`);
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
