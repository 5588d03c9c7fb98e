import type { Clock, Refusal } from "@fairtick/domain";
import { systemClock } from "../../platform/clock.ts";
import { createTroubles, type Trouble } from "../../platform/health.ts";

/**
 * Decides whether new orders are accepted. A watcher that finds a problem (a broken invariant, a negative pool, clocks that
 * disagree) sets a reason and clears it again; while any reason is set, placing answers NOT_NOW. Open orders still settle.
 */
export interface AcceptanceSwitch {
  stop(reason: string, detail?: string): void;
  clear(reason: string): void;
  /** The reasons that are set, each with its detail. Empty while orders are accepted. */
  reasons(): ReadonlyMap<string, string>;
  /** Returns the same, with the time at which each reason was set. */
  troubles(): readonly Trouble[];
}

/** The only reason shown to members by name: it goes away on its own and is one of our own promises. */
const LOG = "log";

/** Returns the refusal for a new order; null while orders are accepted. */
export function stopRefusal({ reasons }: Pick<AcceptanceSwitch, "reasons">): Refusal | null {
  const standing = reasons();
  if (standing.size === 0) return null;
  return { error: standing.size === 1 && standing.has(LOG) ? "LOG_BEHIND" : "NOT_NOW" };
}

export function createAcceptanceSwitch(clock: Pick<Clock, "now"> = systemClock): AcceptanceSwitch {
  const reasons = new Map<string, string>();
  const troubles = createTroubles(clock);
  return {
    stop(reason, detail = "") {
      reasons.set(reason, detail);
      troubles.set(reason, detail === "" ? "it stopped new orders" : detail);
    },
    clear(reason) {
      reasons.delete(reason);
      troubles.set(reason, undefined);
    },
    reasons: () => reasons,
    troubles: () => troubles.list(),
  };
}
