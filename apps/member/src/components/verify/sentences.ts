import type { Check, Verdict } from "../../data/proof/verify-order.ts";

export type CheckId = Check["id"];
export type SentenceId = "accepted" | "bound" | "ticks" | "source" | "result" | "log";

/**
 * The checks behind each of the six sentences about an order, in reading order. Every check of the verifier and of the
 * app belongs to exactly one of them (`sentences.test.ts`).
 */
export const SENTENCES: Readonly<Record<SentenceId, readonly CheckId[]>> = {
  accepted: ["commitment", "device", "batch", "signature", "seen", "kept"],
  bound: ["slots", "bound-before-entry", "heads-in-log", "heads"],
  ticks: ["entry", "exit", "prices", "prices-in-log"],
  source: ["source", "replay", "quotes"],
  result: ["terms", "outcome", "payout", "shown"],
  log: ["accepted-in-log", "settled-in-log", "entries", "log"],
};

export interface Sentence {
  readonly id: SentenceId;
  readonly state: Verdict["state"];
  /** The sentence's checks that were run. */
  readonly checks: readonly Check[];
}

/**
 * Returns the six sentences with their checks' results. One without any check, as for an unreadable receipt, is
 * `unchecked`.
 */
export function sentencesOf(checks: readonly Check[]): readonly Sentence[] {
  return Object.entries(SENTENCES).map(([id, ids]) => {
    const made = ids.flatMap((each) => checks.filter((check) => check.id === each));
    return { id: id as SentenceId, state: stateOf(made), checks: made };
  });
}

/**
 * Returns a sentence's state by the rule of the overall verdict: checks that only the placing device can run leave no
 * gap.
 */
function stateOf(checks: readonly Check[]): Sentence["state"] {
  const counted = checks.filter(({ id, state }) => state !== "unchecked" || (id !== "kept" && id !== "heads"));
  const has = (state: Check["state"]) => counted.some((check) => check.state === state);
  if (has("failed")) return "failed";
  if (counted.length === 0 || has("unchecked")) return "unchecked";
  return has("pending") ? "pending" : "ok";
}
