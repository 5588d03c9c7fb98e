import { count } from "./format.ts";

/** From this share of the greatest length on, a field counts. */
const COUNTS_FROM = 0.8;

/** Whether a text is no longer than the server takes. Counted as the server does, in UTF-16 units. */
export function fits(text: string, max: number): boolean {
  return text.length <= max;
}

/**
 * The line under a field, as `Field` takes it: "30 of 32 characters" once a text comes near its greatest length, and by
 * how much it is too long beyond that. Nothing is cut: its writer knows what may go. Empty while there is room.
 */
export function lengthNote(text: string, max: number): { readonly hint?: string; readonly wrong?: string } {
  if (!fits(text, max)) {
    return { wrong: `At most ${count(max)} characters. Please shorten it by ${count(text.length - max)}.` };
  }
  return text.length < max * COUNTS_FROM ? {} : { hint: `${count(text.length)} of ${count(max)} characters` };
}
