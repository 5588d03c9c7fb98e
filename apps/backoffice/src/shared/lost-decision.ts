import { createContext, useContext } from "react";
import { CallFailure } from "../data/call.ts";
import { instant } from "./format.ts";
import { WORDS } from "./words.ts";

/**
 * Shows a message that a decision came too late. The desk shows it, since the form disappears with the next read. Null
 * clears it.
 */
export const LostDecision = createContext<(said: string | null) => void>(() => undefined);
export const useLostDecision = () => useContext(LostDecision);

/** Returns the message for a decision that lost to an earlier one; null when the call failed for another reason. */
export function sayLost(failure: unknown): string | null {
  if (!(failure instanceof CallFailure) || failure.error !== "CONFLICT") return null;
  const { by, at, action } = failure.params;
  if (typeof by !== "string" || typeof at !== "number") {
    return "Someone changed this case while you were reading it. Your decision wasn’t carried out.";
  }
  const verb = String(action).split("/").at(-1) ?? "";
  return `Your decision wasn’t carried out: ${by} was first. ${WORDS.decisions[verb] ?? verb}, ${instant(at)} UTC.`;
}
