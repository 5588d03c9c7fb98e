/** Stake and duration of a ticket. */
export interface TicketTerms {
  /** A plain decimal as typed, possibly empty. */
  readonly stake: string;
  readonly durationSeconds: number;
}

const KEY = "fairtickTicket";

let kept = readKept();

/** Keeps the terms of a trade screen's ticket in this tab, while the member is elsewhere and over a reload. */
export function keepTerms(terms: TicketTerms): void {
  kept = terms;
  try {
    sessionStorage.setItem(KEY, JSON.stringify([terms.stake, terms.durationSeconds]));
  } catch {
    // Without storage they last until the page is left.
  }
}

export function keptTerms(): TicketTerms | null {
  return kept;
}

/** Clears them at a logout, because the next member on this tab may be someone else. */
export function dropTerms(): void {
  kept = null;
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // There was no storage to begin with.
  }
}

function readKept(): TicketTerms | null {
  try {
    const [stake, durationSeconds] = JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as unknown[];
    return typeof stake === "string" && typeof durationSeconds === "number" ? { stake, durationSeconds } : null;
  } catch {
    return null;
  }
}
