/** Amount and delivery time of the order that is being continued. */
export interface ContinuedTerms {
  readonly stake: string;
  readonly durationSeconds: number;
}

let continued: ContinuedTerms | null = null;

/** "Continue order" was tapped: the next form opens with the same terms, and with no direction. */
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
