import { fromHex, type Instant } from "@fairtick/domain";
import { findBatch, type LogReader, portableHashes, type VerifierPolicy } from "@fairtick/transparency";
import type { Found, KeptEvidence } from "../sealed/evidence-shelf.ts";
import { type Clocks, readNewest } from "./own-checks.ts";

/**
 * How long after a refusal the log must have its batch. It normally takes a second; a standstill is reported in the
 * log.
 */
export const REFUSAL_LOGGED_MS = 60_000;

/**
 * Checks that the public log has the batch that a signed refusal names, and counts the refusal under its reason. A house
 * that shows refusals only to the refused member could turn away whom it likes without anyone noticing.
 *
 * @param all Everything that this device keeps, with other refusals of the same batch
 * @returns `ok`; `refusalMissing`; `refusalReason`; null if the log can't tell yet
 */
export async function judgeRefusal(
  { answer }: KeptEvidence,
  all: readonly KeptEvidence[],
  log: LogReader,
  policy: VerifierPolicy,
  clocks: Clocks,
): Promise<Found> {
  if (answer?.kind !== "refused" || answer.refusal === null) return null;
  const { batchNo, at, root } = answer.refusal;
  const bytes = fromHex(root ?? "");
  if (batchNo === null || bytes === null) return null;
  const { checkpoint, check } = await readNewest(log, policy, clocks);
  const cosignedAt = check.values["cosignedAt"] ?? clocks.now;
  if (checkpoint === null || Number(cosignedAt) < at + REFUSAL_LOGGED_MS) return null;
  const answered = {
    batch: Number(batchNo),
    at: BigInt(at) as Instant,
    root: bytes,
    reasons: reasonsOf(answer.refusal, all),
  };
  const found = await findBatch(portableHashes, log, checkpoint, answered);
  if (found === "unread") return null;
  if (found === "reasons") return "refusalReason";
  return found === "ok" ? "ok" : "refusalMissing";
}

type Refusal = NonNullable<Extract<KeptEvidence["answer"], { kind: "refused" }>["refusal"]>;

/** Returns the reasons of a refusal and of all others of its batch that are validly signed, one for each place. */
function reasonsOf(refusal: Refusal, all: readonly KeptEvidence[]): string[] {
  const byPlace = new Map([[refusal.place, refusal.reason]]);
  for (const { answer, answered } of all) {
    if (answer?.kind !== "refused" || answer.refusal === null || answered !== "ok") continue;
    const { batchNo, root, place, reason } = answer.refusal;
    if (batchNo === refusal.batchNo && root === refusal.root) byPlace.set(place, reason);
  }
  return [...byPlace.values()];
}
