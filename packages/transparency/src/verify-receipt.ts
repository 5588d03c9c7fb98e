import { calculateResult, formatMoney, type Hashes, type Instant, type Tick } from "@fairtick/domain";
import type { CommittedOrder } from "./committed-order.ts";
import type { Decided } from "./decide-order.ts";
import type { SettledOrder } from "./order-entry.ts";
import type { Receipt } from "./receipt.ts";
import {
  describeTick,
  failed,
  ok,
  pending,
  readEvidence,
  RECEIPT_CHECKS,
  type Answer,
  type Beside,
  type Evidence,
  type ReceiptCheck,
  type ReceiptCheckId,
} from "./receipt-evidence.ts";
import { checkAcceptedInLog, checkBatch, checkCommitment, checkSignature, checkTerms } from "./receipt-order-checks.ts";
import {
  checkBound,
  checkHeadsInLog,
  checkPricesInLog,
  checkReplay,
  checkSeen,
  checkSlots,
} from "./receipt-price-checks.ts";
import { checkDevice } from "./receipt-device-check.ts";
import { failIncomplete, missing } from "./receipt-overdue.ts";
import { checkQuotes } from "./receipt-quote-check.ts";
import { checkSource } from "./receipt-source-check.ts";
import { opensCommitment } from "./settled-opening.ts";
import { checkLogged, type VerifierPolicy } from "./verifier-policy.ts";

/**
 * Makes every check of a receipt, in the order of RECEIPT_CHECKS. None throws, whatever the receipt contains, and none
 * stays pending once the log is more than an hour past the time it was due, except checks that await a price the log
 * lacks too. `beside.toldThrough` is the result of `readSilence` for an order that waits for a price that never came.
 */
export function verifyReceipt(
  hashes: Hashes,
  receipt: Receipt,
  policy: VerifierPolicy,
  beside: Beside = {},
): ReceiptCheck[] {
  const evidence = readEvidence(hashes, receipt, policy, beside);
  const checks = RECEIPT_CHECKS.map((id) => Object.assign({ id }, CHECKS[id](evidence)));
  return failIncomplete(evidence, checks);
}

/** Returns `failed` if any check failed, else `pending` if any is, else `ok`. */
export function overallState(checks: readonly ReceiptCheck[]): ReceiptCheck["state"] {
  if (checks.some((check) => check.state === "failed")) return "failed";
  return checks.some((check) => check.state === "pending") ? "pending" : "ok";
}

const CHECKS: Readonly<Record<ReceiptCheckId, (evidence: Evidence) => Answer>> = {
  commitment: checkCommitment,
  device: checkDevice,
  batch: checkBatch,
  signature: checkSignature,
  terms: checkTerms,
  "accepted-in-log": checkAcceptedInLog,
  slots: checkSlots,
  seen: checkSeen,
  "bound-before-entry": checkBound,
  "heads-in-log": checkHeadsInLog,
  "prices-in-log": checkPricesInLog,
  entry: (evidence) => checkTick(evidence, "entry"),
  exit: (evidence) => checkTick(evidence, "exit"),
  outcome: checkOutcome,
  payout: checkPayout,
  "settled-in-log": checkSettledInLog,
  source: checkSource,
  replay: checkReplay,
  quotes: checkQuotes,
};

/** Checks that the entry is the first tick later than the acceptance, or the exit the last one at or before the expiry. */
function checkTick({ receipt, decision }: Evidence, which: "entry" | "exit"): Answer {
  if (decision === null) return failed("order, configuration or prices are malformed");
  if (receipt.result === null) return pending("not settled yet");
  if (decision.state === "gap") {
    return decision.beside === which
      ? failed("the tick beside it is left out")
      : pending("the other tick is not shown");
  }
  if (decision.state === "waiting") return pending("the tick after it is not there yet");
  const [given, made] = [receipt.result[which], decision.decided[which]];
  const values = { given: describeTick(given), right: describeTick(made) };
  return isSameTick(given, made) ? ok(values) : failed("another tick is the right one", values);
}

/** Checks the outcome and the void reason, which depend only on the two ticks and the direction. */
function checkOutcome({ receipt, decision }: Evidence): Answer {
  if (decision === null) return failed("order, configuration or prices are malformed");
  if (receipt.result === null || decision.state !== "decided") return pending("not decided yet");
  const { outcome, voidReason } = decision.decided;
  const given = receipt.result;
  const values = { given: given.voidReason ?? given.outcome, right: voidReason ?? outcome };
  return given.outcome === outcome && given.voidReason === voidReason ? ok(values) : failed("it is another", values);
}

/** Checks the profit and the credit, calculated from the agreed figures. */
function checkPayout({ receipt, order, decision }: Evidence): Answer {
  if (order === null || decision === null) return failed("order, configuration or prices are malformed");
  if (receipt.result === null || decision.state !== "decided") return pending("not decided yet");
  const { profit, credit } = calculateResult(order, decision.decided.outcome);
  const values = { profit: formatMoney(profit), credit: formatMoney(credit) };
  const isSame = receipt.result.profit === profit && receipt.result.credit === credit;
  return isSame ? ok(values) : failed("other amounts were booked", values);
}

/** Checks that the log has this order settled as the rules decide it. */
function checkSettledInLog(evidence: Evidence): Answer {
  const { hashes, receipt, order, decision, policy, settledAt } = evidence;
  if (order === null || decision === null) return failed("order, configuration or prices are malformed");
  if (receipt.settled === null) return missing(evidence, receipt.result && settledAt, "not settled yet");
  if (decision.state !== "decided") return pending("not settled yet");
  const fact = checkLogged(hashes, "orders.settle", receipt.settled, policy);
  if (fact.state === "failed") return failed(fact.why);
  const { batch, place, acceptedAt } = receipt.acceptance;
  const found = fact.entry.orders.find((each) => each.batch === batch && each.place === place);
  if (found === undefined) return failed("the entry has no such order", { batch, place });
  if (!isAgreedAs(order, acceptedAt, found) || !isSettledAs(decision.decided, found))
    return failed("the log shows it settled otherwise", { batch, place });
  if (!isOpenedAs(evidence, found)) return failed("the log opens it otherwise", { batch, place });
  if (fact.state === "pending")
    return missing(evidence, fact.entry.settledAt, "not in a checkpoint yet", { batch, place });
  return ok({ batch, place, index: fact.index, size: fact.size });
}

/** Returns whether the log's settlement has the agreed terms. */
function isAgreedAs(order: CommittedOrder, acceptedAt: Instant, settled: SettledOrder): boolean {
  return (
    settled.symbol === order.symbol &&
    settled.direction === order.direction &&
    settled.duration === order.durationSeconds &&
    settled.limitPrice === order.limitPrice &&
    settled.acceptedAt === acceptedAt
  );
}

/** Returns whether the log's settlement has the ticks and the outcome that follow from the rules. */
function isSettledAs({ entry, exit, outcome, voidReason }: Decided, settled: SettledOrder): boolean {
  return (
    settled.entrySeq === numberOf(entry) &&
    settled.exitSeq === numberOf(exit) &&
    settled.outcome === outcome &&
    settled.voidReason === voidReason
  );
}

/** Returns whether the log's opening matches the order's commitment and has the same reveal time as the receipt. */
function isOpenedAs({ hashes, receipt }: Evidence, settled: SettledOrder): boolean {
  if (receipt.v === 1) return settled.opening === null;
  const revealedAt = receipt.seal?.opened?.revealedAt ?? null;
  if (settled.opening?.revealedAt !== revealedAt) return false;
  return opensCommitment(hashes, settled, receipt.acceptance.commitment);
}

function isSameTick(left: Tick | null, right: Tick | null): boolean {
  if (left === null || right === null) return left === right;
  return left.seq === right.seq && left.time === right.time && left.price === right.price;
}

function numberOf(tick: Tick | null): number | null {
  return tick === null ? null : Number(tick.seq);
}
