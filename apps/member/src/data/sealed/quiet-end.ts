/**
 * Returns the transaction with its `done` rejection handled. When the browser aborts a transaction, for example
 * because its storage is wiped, both the request and `done` reject. The request reports the error; nobody may be
 * awaiting `done`.
 */
export function quiet<Ending extends { readonly done: Promise<void> }>(transaction: Ending): Ending {
  transaction.done.catch(() => undefined);
  return transaction;
}
