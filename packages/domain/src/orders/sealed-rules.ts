import type { Instant } from "../base/time.ts";
import type { OrderRequest } from "./placement.ts";
import type { PlacementRefusal } from "./placement-refusals.ts";

/** A sealed order must be accepted within this time after the head that its device saw, so that nobody can delay it. */
export const SEEN_WITHIN_MS = 3_000n;

/** An order that was under way when its device was removed may still be accepted this long after the removal. */
export const REMOVED_WITHIN_MS = 3_000n;

/**
 * Refuses DEVICE_UNKNOWN · SIGNATURE_WRONG · SEEN_UNKNOWN · LATE, in this order. Wishes that aren't sealed always pass.
 */
export function refuseSealed({ sealed, vouched }: OrderRequest, now: Instant): PlacementRefusal | null {
  if (sealed === null) return null;
  if (vouched?.isOwnDevice !== true) return { error: "DEVICE_UNKNOWN" };
  if (!vouched.isSigned) return { error: "SIGNATURE_WRONG" };
  if (vouched.seenAt === null) return { error: "SEEN_UNKNOWN" };
  return now > vouched.seenAt + SEEN_WITHIN_MS ? { error: "LATE" } : null;
}
