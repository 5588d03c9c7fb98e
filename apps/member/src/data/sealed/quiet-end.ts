/**
 * The transaction, whose early end is told by what was asked of it alone. Where the browser ends one, as when its storage is wiped, both
 * reject: the request, and the transaction's own promise, which nobody may be waiting for.
 */
export function quiet<Ending extends { readonly done: Promise<void> }>(transaction: Ending): Ending {
  transaction.done.catch(() => undefined);
  return transaction;
}
