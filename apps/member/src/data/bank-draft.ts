import { useSyncExternalStore } from "react";
import { forgetForNextMember } from "./next-member.ts";
import { createWish } from "./use-wish.ts";

/** The choices on the remittance form, kept in memory only while the member looks at another screen. */
export interface BankDraft {
  /** Empty means the member's own region. */
  readonly region: string;
  readonly currency: string;
  readonly cardId: string;
  readonly amount: string;
}

const EMPTY: BankDraft = { region: "", currency: "", cardId: "", amount: "" };
let draft = EMPTY;
/**
 * The client id of the announcement. It is kept as long as the draft: an unanswered announcement that is sent again
 * after a visit to another screen is still the same one.
 */
export const bankWish = createWish("bankDeposit");
const watchers = new Set<() => void>();

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function useBankDraft(): BankDraft {
  return useSyncExternalStore(watch, () => draft);
}

/** Changes the draft. A new region or currency clears the chosen card, because each has its own cards. */
export function changeBankDraft(change: Partial<BankDraft>): void {
  const moved = change.region !== undefined || change.currency !== undefined;
  draft = { ...draft, ...(moved && { cardId: "" }), ...change };
  for (const watcher of watchers) watcher();
}

export function forgetBankDraft(): void {
  bankWish.granted();
  changeBankDraft(EMPTY);
}
forgetForNextMember(forgetBankDraft);
