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
 * How long after it was due something may be missing from the log, ms. Entries usually appear within seconds; the rest
 * allows for a witness's clock that is ahead of the house's.
 */
export const OVERDUE_MS = 50_000n;

/** How long after an order was due to be settled anything may still be missing from its receipt, ms. */
export const INCOMPLETE_MS = 3_600_000n;

/**
 * Checks that need the deciding prices. They stay pending while the log itself doesn't have the order's next price yet.
 */
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

/** The facts that decide when everything about an order is due. Moments are in ms since 1970 UTC. */
export interface DueTerms {
  readonly acceptedAt: bigint;
  readonly durationSeconds: number;
  readonly isSealed: boolean;
  readonly revealedAt: bigint | null;
  /** When it was settled, from its log entry or else according to the house; null if unknown. */
  readonly settledAt: bigint | null;
}

/**
 * Returns the moment at which everything about an order is due, ms: the latest of expiry, reveal and settlement, or the
 * end of the time for revealing if a sealed order was not revealed. The latest possible expiry is used, so that a house
 * can't move it by leaving something out. A reveal later than that end counts as the end, and a settlement later than
 * `logAt` is ignored.
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

/** Fails checks that are still pending an hour after they were due, by the newest checkpoint that the reader knows. */
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
 * Makes a check's result for something that is not in the log yet: pending, or failed if the checkpoint's time shows
 * that it was due long ago. `due`: when it was due, ms; null if that can't be known.
 */
export function missing(evidence: Evidence, due: bigint | null, why: string, values: Values = {}): Answer {
  const readAt = evidence.readAt ?? newestTime(evidence.receipt, evidence.policy);
  if (due === null || readAt === null || readAt <= due + OVERDUE_MS) return pending(why, values);
  const [dueAt, at] = [due, readAt].map((moment) => new Date(Number(moment)).toISOString());
  const overdue = `overdue: it was due at ${dueAt}, and a log of ${at} has it not`;
  return { ...failed(overdue, { ...values, dueAt: Number(due) }), named: "log-overdue" };
}

/** Returns the end of a moment's minute, ms, when the minute's prices and slot heads are due. */
export function minuteEnd(time: bigint): bigint {
  return time - (time % MINUTE_MS) + MINUTE_MS;
}

/** Returns when the newest valid checkpoint among the receipt's proofs was cosigned, ms; null if none was. */
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
