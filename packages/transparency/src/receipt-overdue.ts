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
 * What is due is in the log within seconds; what is still missing this much later counts as missing. The figure allows for a
 * witness's clock that is ahead of the house's.
 */
export const OVERDUE_MS = 50_000n;

/** Whatever is still missing this long after the order was due to be settled counts as never coming, whatever the reason. */
export const INCOMPLETE_MS = 3_600_000n;

/** These checks need the prices that decide, so they wait with an order whose next price the log itself does not have yet. */
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

/** What a receipt says about when its order is due; milliseconds since 1970. */
export interface DueTerms {
  readonly acceptedAt: bigint;
  readonly durationSeconds: number;
  readonly isSealed: boolean;
  readonly revealedAt: bigint | null;
  /** When it was settled, by its entry in the log or by what the house says; null where that is not known. */
  readonly settledAt: bigint | null;
}

/**
 * Answers the moment at which everything about an order is due: the latest of expiry, reveal and settlement, or the end of
 * the time for revealing if it was not revealed. The expiry taken is the latest possible one, so that a house cannot move it
 * by leaving something out. A reveal counts at most as that end, and a settlement later than `logAt` does not count at all.
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

/** Turns checks that are pending an hour after they were due into failures, by the newest checkpoint that the reader knows. */
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

/**
 * Answers pending for what is not in the log yet, or failed if the log's own checkpoint shows that it was due long ago.
 * `due`: null where nobody can say when it is due.
 */
export function missing(evidence: Evidence, due: bigint | null, why: string, values: Values = {}): Answer {
  const readAt = evidence.readAt ?? newestTime(evidence.receipt, evidence.policy);
  if (due === null || readAt === null || readAt <= due + OVERDUE_MS) return pending(why, values);
  const [dueAt, at] = [due, readAt].map((moment) => new Date(Number(moment)).toISOString());
  const overdue = `overdue: it was due at ${dueAt}, and a log of ${at} has it not`;
  return { ...failed(overdue, { ...values, dueAt: Number(due) }), named: "log-overdue" };
}

/** Answers when the minute of a moment is over; its prices and its slots' heads are due then. */
export function minuteEnd(time: bigint): bigint {
  return time - (time % MINUTE_MS) + MINUTE_MS;
}

/** Answers when the newest checkpoint that counts, among those of the receipt's proofs, was cosigned. */
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
