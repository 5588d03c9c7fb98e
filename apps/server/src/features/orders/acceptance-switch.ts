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
