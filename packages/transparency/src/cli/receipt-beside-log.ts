import type { Hashes } from "@fairtick/domain";
import { readRemoval } from "../read-removal.ts";
import { readSilence } from "../read-silence.ts";
import type { Receipt } from "../receipt.ts";
import type { ReceiptCheck } from "../receipt-evidence.ts";
import type { LogReader } from "../tile-tree.ts";
import type { VerifierPolicy } from "../verifier-policy.ts";
import { verifyReceipt } from "../verify-receipt.ts";
import { readCheckpoint } from "./newest-checkpoint.ts";

/** A receipt's checks, and why the log could not be asked; null if it was. */
export interface CheckedBesideLog {
  readonly checks: readonly ReceiptCheck[];
  readonly unread: string | null;
}

/**
 * Verifies a receipt with the help of the log: the newest checkpoint shows how long something has been overdue, and the
 * entries show whether the price that the order is waiting for exists, and whether its device had been removed. Rejects
 * with LogFileError for files that don't belong to the checkpoint's tree.
 */
export async function verifyBesideLog(
  hashes: Hashes,
  receipt: Receipt,
  policy: VerifierPolicy,
  log: LogReader,
): Promise<CheckedBesideLog> {
  const newest = await readCheckpoint(log, policy);
  if (typeof newest === "string") return { checks: verifyReceipt(hashes, receipt, policy), unread: newest };
  const { logAt, checkpoint } = newest;
  const removal = await readRemoval(hashes, log, checkpoint, receipt);
  const checks = verifyReceipt(hashes, receipt, policy, { logAt, removal, looksForPrice: true });
  const isWaiting = checks.some(({ id, state }) => state === "pending" && (id === "entry" || id === "exit"));
  if (!isWaiting || receipt.result === null) return { checks, unread: null };
  const silence = await readSilence(hashes, log, checkpoint, receipt);
  const toldThrough = silence.state === "silent" ? silence.toldThrough : null;
  // A price that the log has but the receipt lacks is overdue; a price that no one has is still awaited.
  const looksForPrice = silence.state === "silent" || silence.state === "unread";
  const beside = { logAt, removal, toldThrough, looksForPrice };
  return { checks: verifyReceipt(hashes, receipt, policy, beside), unread: null };
}
