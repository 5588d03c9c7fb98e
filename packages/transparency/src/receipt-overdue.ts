import { openCheckpoint } from "./checkpoint.ts";
import { cosignedAt } from "./log-age.ts";
import type { Receipt } from "./receipt.ts";
import { failed, pending, type Answer, type Evidence, type Values } from "./receipt-evidence.ts";
import { parseTlogProof } from "./tlog-proof.ts";
import type { VerifierPolicy } from "./verifier-policy.ts";

const MINUTE_MS = 60_000n;
/**
 * What is due is in the log within seconds. So much later it is no wait any more; what a witness's clock may be ahead of the
 * house's is in it.
 */
export const OVERDUE_MS = 50_000n;

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
