import { count } from "./format.ts";

/** The counter appears from this share of the maximum length. */
const COUNTS_FROM = 0.8;

/** Returns whether a text fits, counted in UTF-16 units as the server does. */
export function fits(text: string, max: number): boolean {
  return text.length <= max;
}

/**
 * Returns the note under a field: "30 of 32 characters" near the maximum, an error beyond it, nothing before. The text is
 * never cut: its writer decides what to remove.
 */
export function lengthNote(text: string, max: number): { readonly hint?: string; readonly wrong?: string } {
  if (!fits(text, max)) {
    return { wrong: `Use at most ${count(max)} characters. This is ${count(text.length - max)} too long.` };
  }
  return text.length < max * COUNTS_FROM ? {} : { hint: `${count(text.length)} of ${count(max)} characters` };
}
