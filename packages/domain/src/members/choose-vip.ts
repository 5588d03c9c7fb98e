import { isWithinHours, parseHours } from "./hours.ts";
import type { Instant } from "../base/time.ts";

/** An operator of customer support who may look after members. */
export interface VipCandidate {
  readonly operatorId: bigint;
  /** Opening hours in UTC, as `24/7` or `Mo-Fr 08:00-16:00`. */
  readonly hours: string;
  /** How many members this person looks after, counted once for each post they hold. */
  readonly posts: number;
}

/**
 * Chooses who takes a member's post: whoever is on duty before whoever is not, then somebody other than `taken` (who holds
 * the member's other post), then whoever holds the fewest posts, then the oldest account. Null where there is nobody.
 * The rule is published: docs/operations.md and the member's screen say it.
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
