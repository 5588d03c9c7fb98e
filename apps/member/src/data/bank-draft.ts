import { useSyncExternalStore } from "react";

/** What was chosen on the remittance form, kept while the cards are looked at; in memory alone. */
export interface BankDraft {
  /** Empty: the member's own. */
  readonly region: string;
  readonly currency: string;
  readonly cardId: string;
  readonly amount: string;
}

const EMPTY: BankDraft = { region: "", currency: "", cardId: "", amount: "" };
let draft = EMPTY;
const watchers = new Set<() => void>();

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function useBankDraft(): BankDraft {
  return useSyncExternalStore(watch, () => draft);
}

/** Another region or currency has other cards. */
export function changeBankDraft(change: Partial<BankDraft>): void {
  const moved = change.region !== undefined || change.currency !== undefined;
  draft = { ...draft, ...(moved && { cardId: "" }), ...change };
  for (const watcher of watchers) watcher();
}

export function forgetBankDraft(): void {
  changeBankDraft(EMPTY);
}
