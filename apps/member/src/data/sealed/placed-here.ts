import type { KeptChoice } from "./shelf.ts";

/**
 * The choices of orders placed on this page, for as long as it lives. If the browser's storage is wiped before an
 * order was opened, the page that placed it can still open it.
 */
const placed = new Map<string, KeptChoice>();

export function holdChoice(choice: KeptChoice): void {
  placed.set(choice.clientOrderId, choice);
}

export function heldChoice(clientOrderId: string): KeptChoice | undefined {
  return placed.get(clientOrderId);
}

/** Returns the choices of orders that the house has accepted, as far as this page knows. */
export function heldChoices(): readonly KeptChoice[] {
  return [...placed.values()].filter(({ orderNo }) => orderNo !== null);
}

/** Drops a choice once its order was opened or turned out not to exist. */
export function releaseChoice(clientOrderId: string): void {
  placed.delete(clientOrderId);
}
