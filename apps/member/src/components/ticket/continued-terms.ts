import type { TicketTerms } from "../../data/kept-terms.ts";

let continued: TicketTerms | null = null;

/** Makes the next form open with these terms, when a ticket is opened in full. */
export function continueWith(terms: TicketTerms): void {
  continued = terms;
}

export function continuedTerms(): TicketTerms | null {
  return continued;
}

/** Clears those terms once the form has opened and has its own. */
export function forgetContinued(): void {
  continued = null;
}
