import type { Clock } from "@fairtick/domain";
import type { Violation } from "./check-invariants.ts";

/** A range of numbers from `from` to `to`, `to` excluded. */
export interface Stretch {
  readonly from: bigint;
  readonly to: bigint;
}

/** A numbered series that is too long to be examined at once. */
export interface Ground {
  /**
   * Returns the end of a stretch of about `size` items that starts at `from`; null if it reaches the end of the series.
   */
  end(from: bigint, size: number): Promise<bigint | null>;
  check(stretch: Stretch): Promise<readonly Violation[]>;
}

export interface Sweep {
  /**
   * Examines what was broken before, then continues where it stopped until the time is used up or everything has been
   * seen. Returns everything that is known to be broken.
   */
  go(budgetMs: number): Promise<readonly Violation[]>;
  /** How often everything was examined since the start. */
  rounds(): number;
}

const SIZE_MIN = 64;
const SIZE_MAX = 1_000_000;
/**
 * The share of the given time that one stretch should take: short enough to stop in time, long enough for PostgreSQL's
 * plans.
 */
const SHARE = 0.25;
/** Larger than any number that is swept. */
export const END = 9_223_372_036_854_775_807n;

/**
 * Sweeps a series in stretches whose size depends on how long they take: a small series at once, a large one over
 * several calls.
 */
export function createSweep(ground: Ground, clock: Pick<Clock, "elapsedMs">): Sweep {
  const broken = new Map<bigint, Stretch>();
  let [next, size, rounds] = [0n, 1_000, 0];

  async function examine(stretch: Stretch): Promise<readonly Violation[]> {
    const violations = await ground.check(stretch);
    if (violations.length === 0) broken.delete(stretch.from);
    else broken.set(stretch.from, stretch);
    return violations;
  }

  return {
    rounds: () => rounds,
    async go(budgetMs) {
      const begun = clock.elapsedMs();
      const found: Violation[] = [];
      const again = [...broken.values()];
      for (const stretch of again) found.push(...(await examine(stretch)));
      const roundsBefore = rounds;
      const start = next;
      do {
        const at = clock.elapsedMs();
        const end = await ground.end(next, size);
        const stretch = { from: next, to: end ?? END };
        const isKnown = again.some((each) => each.from <= stretch.from && each.to >= stretch.to);
        if (!isKnown) found.push(...(await examine(stretch)));
        next = end ?? 0n;
        if (end === null) rounds += 1;
        const tookMs = Math.max(clock.elapsedMs() - at, 1);
        const fitting = Math.round((size * budgetMs * SHARE) / tookMs);
        // A cheap stretch says little about an expensive one, so sizes grow gradually.
        size = Math.min(Math.max(Math.min(fitting, size * 4), SIZE_MIN), SIZE_MAX);
        // One time around is enough for one call.
        if (rounds > roundsBefore && next >= start) break;
      } while (clock.elapsedMs() - begun < budgetMs);
      return found;
    },
  };
}
