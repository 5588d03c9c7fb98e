import type { Refusal } from "@fairtick/domain";

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
}

/** The one reason that members are told by its name: it passes by itself, and says what the house holds itself to. */
const LOG = "log";

/** What a new order is answered; null while orders are taken. */
export function stopRefusal({ reasons }: Pick<AcceptanceSwitch, "reasons">): Refusal | null {
  const standing = reasons();
  if (standing.size === 0) return null;
  return { error: standing.size === 1 && standing.has(LOG) ? "LOG_BEHIND" : "NOT_NOW" };
}

export function createAcceptanceSwitch(): AcceptanceSwitch {
  const reasons = new Map<string, string>();
  return {
    stop(reason, detail = "") {
      reasons.set(reason, detail);
    },
    clear(reason) {
      reasons.delete(reason);
    },
    reasons: () => reasons,
  };
}
