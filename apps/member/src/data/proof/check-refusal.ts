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
 * Checks that the public log has the batch that a signed refusal names. A house that shows refusals only to the refused
 * member could turn away whom it likes without anyone noticing.
 *
 * @returns `ok`; `refusalMissing`; null if the log can't tell yet
 */
export async function judgeRefusal(
  { answer }: KeptEvidence,
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
  const answered = { batch: Number(batchNo), at: BigInt(at) as Instant, root: bytes };
  const found = await findBatch(portableHashes, log, checkpoint, answered);
  if (found === "unread") return null;
  return found === "ok" ? "ok" : "refusalMissing";
}
