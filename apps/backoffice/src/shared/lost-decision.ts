import { createContext, useContext } from "react";
import { CallFailure } from "../data/call.ts";
import { instant } from "./format.ts";
import { WORDS } from "./words.ts";

/**
 * Tells the desk that a decision came too late: the form it was made in disappears with the next reading. Null takes
 * the message back.
 */
export const LostDecision = createContext<(said: string | null) => void>(() => undefined);
export const useLostDecision = () => useContext(LostDecision);

/** What to say to whoever decided second; null where the call failed for another reason. */
export function sayLost(failure: unknown): string | null {
  if (!(failure instanceof CallFailure) || failure.error !== "CONFLICT") return null;
  const { by, at, action } = failure.params;
  if (typeof by !== "string" || typeof at !== "number") {
    return "The case changed while you were reading it. Your decision wasn’t carried out.";
  }
  const verb = String(action).split("/").at(-1) ?? "";
  return `Your decision wasn’t carried out: the case changed first. ${by}, ${instant(at)} UTC: ${WORDS.decisions[verb] ?? verb}.`;
}
