export * from "./acceptance.ts";
export type {
  AnsweredAcceptance,
  AnsweredOrder,
  AnsweredPlace,
  AnsweredRefusal,
  Asked,
  SentWish,
} from "./answer-place.ts";
export * from "./base64.ts";
export * from "./board.ts";
export * from "./board-page.ts";
export * from "./check-answer.ts";
export * from "./checkpoint.ts";
export * from "./committed-order.ts";
export * from "./consistency.ts";
export * from "./cosignature.ts";
export * from "./decide-order.ts";
export * from "./deposit-address.ts";
export * from "./entry-bundle.ts";
export * from "./find-batch.ts";
export * from "./key-rotation.ts";
export * from "./keys.ts";
export { cosignedAt, STANDSTILL_MS } from "./log-age.ts";
export * from "./log-entry.ts";
export type { AcceptEntry, Opening, SettledOrder, SettleEntry } from "./order-entry.ts";
export * from "./note.ts";
export * from "./open-answer.ts";
export * from "./policy-text.ts";
export * from "./portable-hashes.ts";
export { PROOF_CHECKS, type ProofCheck, type ProofCheckId, type ProofReason } from "./proof-check.ts";
export * from "./proof-places.ts";
export * from "./public-proof.ts";
export * from "./pyth-update.ts";
export { formatMinuteQuotes } from "./quote-book.ts";
export { readSilence, type Silence } from "./read-silence.ts";
export * from "./receipt.ts";
export * from "./release-list.ts";
export * from "./reveal.ts";
export { overallState, verifyReceipt } from "./verify-receipt.ts";
export { RECEIPT_CHECKS, type ReceiptCheck, type ReceiptCheckId } from "./receipt-evidence.ts";
export * from "./beacon.ts";
export * from "./sm1-proof.ts";
export * from "./sm2-proof.ts";
export {
  formatRefusedOpenings,
  type OpenedRefusals,
  parseRefusedOpenings,
  type RefusedOpening,
} from "./refused-openings.ts";
export type { LogStatistics } from "./log-statistics.ts";
export * from "./sum-tree.ts";
export {
  parseQuoteLine,
  quoteAgreement,
  quoteHash,
  quoteLine,
  quotesRoot,
  SIGNED_SOURCE,
  type SignedQuote,
  sourcesText,
} from "./tick-quotes.ts";
export * from "./tile-path.ts";
export * from "./tile-tree.ts";
export * from "./timeless-signature.ts";
export * from "./tlog-proof.ts";
export * from "./tree-edge.ts";
export * from "./verifier-policy.ts";
export * from "./win-rates.ts";
export * from "./witness.ts";
export * from "./verify-liability.ts";
export * from "./verify-log.ts";
export { LOG_CHECKS, type LogCheckId, type LogFinding } from "./log-finding.ts";
