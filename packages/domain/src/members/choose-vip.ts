import { isWithinHours, parseHours } from "./hours.ts";
import type { Instant } from "../base/time.ts";

/** An operator of customer support who may look after members. */
export interface VipCandidate {
  readonly operatorId: bigint;
  /** Opening hours in UTC, as `24/7` or `Mo-Fr 08:00-16:00`. */
  readonly hours: string;
  /** Number of posts that they hold. Two posts with one member count twice. */
  readonly posts: number;
}

/**
 * Chooses who takes a member's post: people on duty first, then anyone other than `taken` (who holds the member's other
 * post), then whoever holds the fewest posts, then the oldest account. Null if there are no candidates. The rule is
 * published in docs/operations.md and on the member's screen.
 */
export function chooseVip<Candidate extends VipCandidate>(
  candidates: readonly Candidate[],
  now: Instant,
  taken: bigint | null = null,
): Candidate | null {
  const rank = (one: Candidate) => [isOnDuty(one, now) ? 0 : 1, one.operatorId === taken ? 1 : 0, one.posts];
  const [chosen] = candidates.toSorted((one, other) => {
    const [mine, theirs] = [rank(one), rank(other)];
    const at = mine.findIndex((place, index) => place !== theirs[index]);
    if (at >= 0) return (mine[at] ?? 0) - (theirs[at] ?? 0);
    return one.operatorId < other.operatorId ? -1 : 1;
  });
  return chosen ?? null;
}

function isOnDuty({ hours }: VipCandidate, now: Instant): boolean {
  const spans = parseHours(hours);
  return spans !== null && isWithinHours(spans, now);
}
