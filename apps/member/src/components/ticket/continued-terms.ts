/** Stake and duration of a ticket that was left. */
export interface ContinuedTerms {
  readonly stake: string;
  readonly durationSeconds: number;
}

let continued: ContinuedTerms | null = null;
let kept: ContinuedTerms | null = null;

/** Makes the next form open with these terms, when a ticket is opened in full. */
export function continueWith(terms: ContinuedTerms): void {
  continued = terms;
}

export function continuedTerms(): ContinuedTerms | null {
  return continued;
}

/** Clears those terms once the form has opened and has its own. */
export function forgetContinued(): void {
  continued = null;
}

/** Keeps the terms of a trade screen's ticket while the member is elsewhere, until the page is reloaded. */
export function keepTerms(terms: ContinuedTerms): void {
  kept = terms;
}

export function keptTerms(): ContinuedTerms | null {
  return kept;
}
