import type { KeptChoice } from "./shelf.ts";

/**
 * What orders of this page are about, for as long as it lives: where the browser's storage is wiped before an order was opened, the
 * page that placed it still can.
 */
const placed = new Map<string, KeptChoice>();

export function holdChoice(choice: KeptChoice): void {
  placed.set(choice.clientOrderId, choice);
}

export function heldChoice(clientOrderId: string): KeptChoice | undefined {
  return placed.get(clientOrderId);
}

/** Those that the house has accepted, as far as this page was told. */
export function heldChoices(): readonly KeptChoice[] {
  return [...placed.values()].filter(({ orderNo }) => orderNo !== null);
}

/** It is opened, or there is no such order. */
export function releaseChoice(clientOrderId: string): void {
  placed.delete(clientOrderId);
}
