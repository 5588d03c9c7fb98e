/** The checks of a public proof, in the order in which they are shown. */
export const PROOF_CHECKS = ["accepted", "opened", "prices", "decided", "settled"] as const;
export type ProofCheckId = (typeof PROOF_CHECKS)[number];

/**
 * Why a check failed or could not be made. `entry` is the place, counted from 0, of the log's entry that it is about.
 */
export type ProofReason =
  | {
      readonly code:
        | "noEntry"
        | "otherKind"
        | "otherOrder"
        | "notThere"
        | "otherProduct"
        | "pricesMissing"
        | "otherPrices";
      readonly entry: number;
    }
  | {
      readonly code:
        | "otherTerms"
        | "unopened"
        | "settledFirst"
        | "pricesOrder"
        | "pricesElsewhere"
        | "otherRules"
        | "linkOtherRules"
        | "rulesLater"
        | "noProduct"
        | "noNextPrice"
        | "pricesLeftOut"
        | "otherResult"
        | "tooEarly"
        | "boardsUnread";
    };

export interface ProofCheck {
  readonly id: ProofCheckId;
  /** `open`: the check could not be made, because an earlier one failed, or data is missing or isn't read. */
  readonly state: "ok" | "failed" | "open";
  readonly why?: ProofReason;
}

/** The reason why a step failed, in place of what it looked for. */
export interface Why {
  readonly why: ProofReason;
}

export function ok(id: ProofCheckId): ProofCheck {
  return { id, state: "ok" };
}

export function failed(id: ProofCheckId, why: ProofReason): ProofCheck {
  return { id, state: "failed", why };
}

export function open(id: ProofCheckId, why?: ProofReason): ProofCheck {
  return why === undefined ? { id, state: "open" } : { id, state: "open", why };
}
