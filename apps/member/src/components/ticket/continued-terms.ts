/** Stake and duration of an order that is being continued, or that a ticket was left with. */
export interface ContinuedTerms {
  readonly stake: string;
  readonly durationSeconds: number;
}

let continued: ContinuedTerms | null = null;
let kept: ContinuedTerms | null = null;

/** "Continue order" was tapped, or a ticket is opened in full: the next form opens with the same terms. */
export function continueWith(terms: ContinuedTerms): void {
  continued = terms;
}

export function continuedTerms(): ContinuedTerms | null {
  return continued;
}

/** The form has opened; what is typed from now on is its own. */
export function forgetContinued(): void {
  continued = null;
}

/** Keeps what a trade screen's ticket says while the member looks elsewhere; until the page is loaded again. */
export function keepTerms(terms: ContinuedTerms): void {
  kept = terms;
}

export function keptTerms(): ContinuedTerms | null {
  return kept;
}
