import type { Clock, Refusal } from "@fairtick/domain";
import { systemClock } from "../../platform/clock.ts";
import { createTroubles, type Trouble } from "../../platform/health.ts";

/**
 * Whether orders are taken. Anything that finds ground to stop them (a broken invariant, a pool below zero, clocks
 * apart) names its reason and clears it by itself; while one stands, placing answers NOT_NOW. What is open is settled
 * all the same.
 */
export interface AcceptanceSwitch {
  stop(reason: string, detail?: string): void;
  clear(reason: string): void;
  /** Reason → detail; empty while orders are taken. */
  reasons(): ReadonlyMap<string, string>;
  /** The same with the moment since when each stands. */
  troubles(): readonly Trouble[];
}

/** The one reason that members are told by its name: it passes by itself, and says what the house holds itself to. */
const LOG = "log";

/** What a new order is answered; null while orders are taken. */
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
