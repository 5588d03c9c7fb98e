import type { Hashes } from "@fairtick/domain";
import { openCheckpoint, type Checkpoint } from "../checkpoint.ts";
import { cosignedAt } from "../log-age.ts";
import { readSilence } from "../read-silence.ts";
import type { Receipt } from "../receipt.ts";
import type { ReceiptCheck } from "../receipt-evidence.ts";
import type { LogReader } from "../tile-tree.ts";
import type { VerifierPolicy } from "../verifier-policy.ts";
import { verifyReceipt } from "../verify-receipt.ts";

/**
 * Verifies a receipt with the help of the log: the newest checkpoint shows how long something has been overdue, and the
 * entries show whether the price that the order is waiting for exists. Rejects with LogFileError for files that don't
 * belong to the checkpoint's tree.
 */
export async function verifyBesideLog(
  hashes: Hashes,
  receipt: Receipt,
  policy: VerifierPolicy,
  log: LogReader,
): Promise<readonly ReceiptCheck[]> {
  const newest = await readCheckpoint(log, policy);
  if (newest === null) return verifyReceipt(hashes, receipt, policy);
  const { logAt, checkpoint } = newest;
  const checks = verifyReceipt(hashes, receipt, policy, { logAt, looksForPrice: true });
  const isWaiting = checks.some(({ id, state }) => state === "pending" && (id === "entry" || id === "exit"));
  if (!isWaiting || receipt.result === null) return checks;
  const silence = await readSilence(hashes, log, checkpoint, receipt);
  const toldThrough = silence.state === "silent" ? silence.toldThrough : null;
  // A price that the log has but the receipt lacks is overdue; a price that no one has is still awaited.
  const looksForPrice = silence.state === "silent" || silence.state === "unread";
  return verifyReceipt(hashes, receipt, policy, { logAt, toldThrough, looksForPrice });
}

/** Reads the log's newest checkpoint; null if it isn't signed by the log and by enough witnesses. */
async function readCheckpoint(
  log: LogReader,
  policy: VerifierPolicy,
): Promise<{ readonly checkpoint: Checkpoint; readonly logAt: bigint | null } | null> {
  const bytes = await log.read("checkpoint");
  const opened = bytes === null ? null : openCheckpoint(new TextDecoder().decode(bytes), policy);
  if (opened?.ok !== true || opened.witnesses.length < policy.witnessesNeeded) return null;
  return { checkpoint: opened.checkpoint, logAt: cosignedAt(opened.witnesses, policy.witnessesNeeded) };
}
