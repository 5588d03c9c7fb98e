import type { Hashes } from "@fairtick/domain";
import type { Order } from "@fairtick/protocol";
import {
  cosignedAt,
  formatVerifierKey,
  parseReceipt,
  readSilence,
  type LogReader,
  type NoteSigner,
  type Receipt,
  type ReceiptCheck,
  type VerifierKey,
  type VerifierPolicy,
} from "@fairtick/transparency";
import { examineReceipt } from "./examine-receipt.ts";
import type { Held } from "../sealed/evidence-shelf.ts";
import {
  checkEntries,
  checkGrown,
  checkHeads,
  checkKept,
  checkPrices,
  checkShown,
  readNewest,
  type NewestCheckpoint,
  type OwnCheck,
} from "./own-checks.ts";

export type Check = ReceiptCheck | OwnCheck;

export interface Verdict {
  readonly state: "ok" | "failed" | "pending" | "unchecked";
  readonly checks: readonly Check[];
  /** How many entries the log had; 0 where it could not be read. */
  readonly logSize: number;
  /** Each witness that this device holds the log to, and when by their own signed word they cosigned the newest checkpoint; null: they did not. */
  readonly witnesses: readonly { readonly name: string; readonly key: string; readonly at: number | null }[];
  /** The checkpoint's note, to be compared with from now on; null where it must not be kept. */
  readonly seen: string | null;
}

export interface VerifyParts {
  readonly hashes: Hashes;
  readonly log: LogReader;
  readonly policy: VerifierPolicy;
  /** The checkpoint that this device saw last. */
  readonly seen: string | null;
  readonly order: Order;
  readonly decimals: number;
  readonly kept: Held | null;
  readonly now: number;
  /** This device's own clock; left out, nothing is measured by it. */
  readonly device?: number;
}

/** What waits this long is never coming, unless it is a price that the log does not have either: docs/verification.md. */
const PENDING_MS_MAX = 60 * 60_000;

/** Everything that this browser can check of a settled order, by itself. `json`: the receipt as it came. */
export async function verifyOrder(json: unknown, parts: VerifyParts): Promise<Verdict> {
  const { hashes, log, policy, order } = parts;
  const parsed = parseReceipt(json);
  if (!parsed.ok) {
    const check: OwnCheck = { id: "shown", state: "failed", why: parsed.fault, values: {} };
    return { state: "failed", checks: [check], logSize: 0, witnesses: [], seen: null };
  }
  const { receipt } = parsed;
  const answer = await reached("log", async () =>
    readNewest(log, policy, { now: parts.now, device: parts.device ?? null }),
  );
  const newest = "check" in answer ? answer : { check: answer, checkpoint: null, note: "", witnesses: [] };
  // What it holds is looked at even where it did not grow out of what this device saw: both are told.
  const { checkpoint } = newest;
  const grown = await reached("log", async () => checkGrown(hashes, log, policy, newest, parts.seen));
  const own: OwnCheck[] = [
    checkShown(receipt, order, parts.decimals),
    checkKept(receipt, parts.kept),
    // Another device was shown other heads: there is nothing to compare then.
    ...(parts.kept?.heads === undefined ? [] : [checkHeads(receipt, parts.kept)]),
    grown,
    checkpoint === null
      ? { id: "entries", state: "unchecked", why: "the log could not be read", values: {} }
      : await reached("entries", async () => checkEntries(hashes, log, receipt, checkpoint)),
    await reached("prices", async () => checkPrices(log, receipt)),
  ];
  const { shown, isSilent } = await checkReceipt(parts, receipt, newest);
  const overdue = !isSilent && order.settledAt !== null && parts.now - order.settledAt > PENDING_MS_MAX;
  const checks = [...own, ...shown].map((check) =>
    overdue && check.state === "pending"
      ? Object.assign({}, check, { state: "failed" as const, why: "still not in the log an hour later" })
      : check,
  );
  return {
    state: overall(checks),
    checks,
    logSize: checkpoint?.size ?? 0,
    witnesses: policy.witnessKeys.map((key) => standingOf(key, newest.witnesses)),
    seen: grown.state === "ok" ? newest.note : null,
  };
}

function standingOf(key: VerifierKey, signers: readonly NoteSigner[]): Verdict["witnesses"][number] {
  const text = formatVerifierKey(key);
  const signer = signers.find((each) => formatVerifierKey(each.key) === text);
  return { name: key.name, key: text, at: signer?.time === undefined ? null : Number(signer.time) * 1000 };
}

/** The receipt's own checks; where they wait for a price, with what the log itself says of one. */
async function checkReceipt(
  parts: VerifyParts,
  receipt: Receipt,
  newest: NewestCheckpoint,
): Promise<{ readonly shown: readonly ReceiptCheck[]; readonly isSilent: boolean }> {
  const { hashes, log, policy, order } = parts;
  const { checkpoint } = newest;
  const settledAt = order.settledAt === null ? null : BigInt(order.settledAt);
  const beside = { readAt: readAt(parts, newest), settledAt, looksForPrice: true };
  const first = await examineReceipt(receipt, policy, beside);
  if (!waitsForPrice(first) || receipt.result === null || checkpoint === null) return { shown: first, isSilent: false };
  const silence = await reached("log", async () => readSilence(hashes, log, checkpoint, receipt));
  // Where it could not be read, nothing is known of a price.
  if (silence.state === "unread" || silence.state === "unchecked") return { shown: first, isSilent: true };
  if (!("toldThrough" in silence)) return { shown: first, isSilent: false };
  const shown = await examineReceipt(receipt, policy, { ...beside, toldThrough: silence.toldThrough });
  return { shown, isSilent: waitsForPrice(shown) };
}

/**
 * When the receipt was asked for: the newest checkpoint's time, or the clocks' where that came much later over a slow line. A house
 * that sets its own clock back hides nothing by it.
 */
function readAt({ policy, now, device }: VerifyParts, { witnesses }: NewestCheckpoint): bigint {
  const at = cosignedAt(witnesses, policy.witnessesNeeded);
  const clock = BigInt(Math.max(now, device ?? now));
  return at !== null && at < clock ? at : clock;
}

function waitsForPrice(checks: readonly ReceiptCheck[]): boolean {
  return checks.some(({ id, state }) => state === "pending" && (id === "entry" || id === "exit"));
}

/** Another device's order lacks what this one kept, and that alone spoils nothing; any other gap does. */
function overall(checks: readonly Check[]): Verdict["state"] {
  const isOwn = ({ id }: Check) => id === "kept" || id === "heads";
  const has = (state: Check["state"]) => checks.some((check) => check.state === state && !isOwn(check));
  if (checks.some((check) => check.state === "failed")) return "failed";
  if (has("unchecked")) return "unchecked";
  return has("pending") ? "pending" : "ok";
}

/** A log that does not answer leaves a check open; one that answers wrongly does not. */
async function reached<Answer>(id: OwnCheck["id"], ask: () => Promise<Answer>): Promise<Answer | OwnCheck> {
  try {
    return await ask();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    // A file that is missing or cut short is the log's fault; a connection that broke is nobody's.
    const state = error instanceof Error && error.name === "LogFileError" ? "failed" : "unchecked";
    return { id, state, why, values: {} };
  }
}
