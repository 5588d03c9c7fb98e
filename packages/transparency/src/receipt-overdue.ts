import { ENTRY_WINDOW_MS, REVEAL_WITHIN_MS, utf8 } from "@fairtick/domain";
import { openCheckpoint } from "./checkpoint.ts";
import { cosignedAt, STANDSTILL_MS } from "./log-age.ts";
import { parseLogEntry } from "./log-entry.ts";
import type { Receipt } from "./receipt.ts";
import {
  failed,
  pending,
  type Answer,
  type Evidence,
  type ReceiptCheck,
  type ReceiptCheckId,
  type Values,
} from "./receipt-evidence.ts";
import { parseTlogProof } from "./tlog-proof.ts";
import type { VerifierPolicy } from "./verifier-policy.ts";

const MINUTE_MS = 60_000n;
/**
 * What is due is in the log within seconds. So much later it is no wait any more; what a witness's clock may be ahead of the
 * house's is in it.
 */
export const OVERDUE_MS = 50_000n;

/** Whatever is still out so much after the order was due to be settled, for whatever reason, is not coming. */
export const INCOMPLETE_MS = 3_600_000n;

/** They rest on the prices that decide, so they wait with an order whose next price the log itself does not have. */
const PRICE_CHECKS: ReadonlySet<ReceiptCheckId> = new Set([
  "slots",
  "entry",
  "exit",
  "outcome",
  "payout",
  "settled-in-log",
  "source",
  "quotes",
  "replay",
]);

/** When an order is due, as its receipt tells of it; milliseconds since 1970. */
export interface DueTerms {
  readonly acceptedAt: bigint;
  readonly durationSeconds: number;
  readonly isSealed: boolean;
  readonly revealedAt: bigint | null;
  /** By its settlement in the log, or by the house's word; null: not known. */
  readonly settledAt: bigint | null;
}

/**
 * The moment at which everything of the order is due: the latest of expiry, reveal and settlement; of one that was not revealed the
 * end of the time for that. The expiry is the latest possible one, so that nothing which a house left out moves it; a reveal counts as
 * that end at most, and a settlement that is to come after `logAt` does not count at all.
 */
export function receiptDue(terms: DueTerms, logAt: bigint): bigint {
  const { revealedAt, settledAt } = terms;
  const expiry = terms.acceptedAt + ENTRY_WINDOW_MS + BigInt(terms.durationSeconds) * 1_000n;
  const revealEnd = expiry + REVEAL_WITHIN_MS;
  const isSettled = settledAt !== null && settledAt <= logAt + STANDSTILL_MS;
  if (isSettled) return later(expiry, settledAt);
  if (!terms.isSealed) return expiry;
  if (revealedAt === null || revealedAt > revealEnd) return revealEnd;
  return later(expiry, revealedAt);
}

/** What is still pending an hour after it was due is a failure, by the time of the newest checkpoint that the reader knows of. */
export function failIncomplete(evidence: Evidence, checks: readonly ReceiptCheck[]): ReceiptCheck[] {
  if (checks.every(({ state }) => state !== "pending")) return [...checks];
  const logAt = [newestTime(evidence.receipt, evidence.policy), evidence.readAt, evidence.logAt].reduce(
    (left, right) => (left !== null && (right === null || left > right) ? left : right),
    null,
  );
  const terms = dueTerms(evidence);
  if (logAt === null || terms === null) return [...checks];
  const due = receiptDue(terms, logAt);
  if (logAt <= due + INCOMPLETE_MS) return [...checks];
  const isSilent = evidence.looksForPrice && evidence.decision?.state === "waiting" && evidence.receipt.result !== null;
  const [dueAt, at] = [due, logAt].map((moment) => new Date(Number(moment)).toISOString());
  return checks.map((check) => {
    if (check.state !== "pending" || (isSilent && PRICE_CHECKS.has(check.id))) return check;
    const why = `${check.why}, though it was due at ${dueAt}, and the log went on until ${at}`;
    return { ...check, state: "failed", why, named: "log-overdue", values: { ...check.values, dueAt: Number(due) } };
  });
}

function dueTerms({ receipt, order, settledAt }: Evidence): DueTerms | null {
  if (order === null) return null;
  const logged = receipt.settled === null ? null : parseLogEntry(utf8(receipt.settled.entry));
  const told = logged?.ok === true && logged.entry.kind === "orders.settle" ? logged.entry.settledAt : null;
  return {
    acceptedAt: receipt.acceptance.acceptedAt,
    durationSeconds: order.durationSeconds,
    isSealed: order.sealed !== null,
    revealedAt: receipt.v === 1 ? null : (receipt.seal?.opened?.revealedAt ?? null),
    settledAt: told ?? settledAt,
  };
}

function later(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

/** Not in the log yet or, by the time of the log's own checkpoint, long since due. `due`: null where nobody can say. */
export function missing(evidence: Evidence, due: bigint | null, why: string, values: Values = {}): Answer {
  const readAt = evidence.readAt ?? newestTime(evidence.receipt, evidence.policy);
  if (due === null || readAt === null || readAt <= due + OVERDUE_MS) return pending(why, values);
  const [dueAt, at] = [due, readAt].map((moment) => new Date(Number(moment)).toISOString());
  const overdue = `overdue: it was due at ${dueAt}, and a log of ${at} has it not`;
  return { ...failed(overdue, { ...values, dueAt: Number(due) }), named: "log-overdue" };
}

/** When the minute of that moment is over: then its prices and its slots' heads are due. */
export function minuteEnd(time: bigint): bigint {
  return time - (time % MINUTE_MS) + MINUTE_MS;
}

/** When the newest checkpoint that the receipt's proofs lead to, and that counts, was cosigned. */
function newestTime(receipt: Receipt, policy: VerifierPolicy): bigint | null {
  const { config, accepted, settled, slots, minutes, epochs, sources = [], quotes = [] } = receipt;
  const logged = [
    config.logged,
    accepted,
    settled,
    receipt.v === 1 ? null : receipt.seal?.device.logged,
    ...slots.logged,
    ...minutes.map((minute) => minute.logged),
    ...epochs.flatMap(({ params, commit, open, reveal }) => [params, commit, open, reveal]),
    ...sources,
    ...quotes.map(({ params }) => params),
  ];
  const notes = new Set(logged.flatMap((each) => (each?.proof ? (parseTlogProof(each.proof)?.checkpoint ?? []) : [])));
  let newest: bigint | null = null;
  for (const note of notes) {
    const opened = openCheckpoint(note, policy);
    const at = opened.ok ? cosignedAt(opened.witnesses, policy.witnessesNeeded) : null;
    if (at !== null && (newest === null || at > newest)) newest = at;
  }
  return newest;
}
