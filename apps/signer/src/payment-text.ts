import { createHash } from "node:crypto";
import { type Payment, paymentStatement } from "@fairtick/domain";
import type { JournalEntry } from "./journal.ts";
import type { Authorized } from "./limits.ts";
import type { SignedTransaction } from "./messages.ts";

export type Signed = Extract<JournalEntry, { t: "signed" }>;

export function digestOf(payment: Payment): string {
  return createHash("sha256").update(paymentStatement(payment)).digest("hex");
}

/**
 * Returns whether a payment may replace an authorized one: the same payment, never signed, with a later expiry or after
 * a test chain was recreated.
 */
export function mayReplace(before: Authorized, payment: Payment, signed: readonly Signed[]): boolean {
  const { chain, token, to, amount, expiry } = before.payment;
  const same =
    chain === String(payment.chain) &&
    token === payment.token &&
    to === payment.to &&
    amount === String(payment.amount);
  return same && signed.length === 0 && payment.expiry > BigInt(expiry);
}

export function paymentTextOf(payment: Payment): Authorized["payment"] {
  const { chain, amount, expiry } = payment;
  return { ...payment, chain: String(chain), amount: String(amount), expiry: String(expiry) };
}

export function answerOf({ raw, hash, maxFee, priorityFee }: Signed): SignedTransaction {
  return { raw, hash, maxFee, priorityFee };
}
