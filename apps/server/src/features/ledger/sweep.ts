import type { Clock } from "@fairtick/domain";
import type { Violation } from "./check-invariants.ts";

/** From a number up to, not including, another one. */
export interface Stretch {
  readonly from: bigint;
  readonly to: bigint;
}

/** Something numbered that is too long to be examined at once. */
export interface Ground {
  /** Where a stretch of about `size` things from `from` on ends; null where it reaches the end of all there are now. */
  end(from: bigint, size: number): Promise<bigint | null>;
  check(stretch: Stretch): Promise<readonly Violation[]>;
}

export interface Sweep {
  /**
   * Examines what was broken before, then goes on where it stopped, until the time is used up or the whole ground is seen.
   * Answers everything that is broken as far as it knows.
   */
  go(budgetMs: number): Promise<readonly Violation[]>;
  /** How often the whole was examined since the start. */
  rounds(): number;
}

const SIZE_MIN = 64;
const SIZE_MAX = 1_000_000;
/** How much of the time that is given a stretch should take: short enough to stop in time, long enough for PostgreSQL's plans. */
const SHARE = 0.25;
/** Beyond every number that is swept. */
export const END = 9_223_372_036_854_775_807n;

/** Sweeps a ground in stretches whose size follows from what they cost: a small one whole, a large one over several calls. */
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
        // A cheap stretch says little about a dear one: sizes grow by steps.
        size = Math.min(Math.max(Math.min(fitting, size * 4), SIZE_MIN), SIZE_MAX);
        // Once around is enough for one call.
        if (rounds > roundsBefore && next >= start) break;
      } while (clock.elapsedMs() - begun < budgetMs);
      return found;
    },
  };
}
