import type { Hashes } from "@fairtick/domain";
import type { Order } from "@fairtick/protocol";
import {
  cosignedAt,
  formatVerifierKey,
  parseReceipt,
  readSilence,
  shortRoot,
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
  checkKept,
  checkPrices,
  checkShown,
  readNewest,
  type NewestCheckpoint,
  type OwnCheck,
} from "./own-checks.ts";
import { checkHeads } from "./seen-heads.ts";

export type Check = ReceiptCheck | OwnCheck;

export interface Verdict {
  readonly state: "ok" | "failed" | "pending" | "unchecked";
  readonly checks: readonly Check[];
  /** Number of entries in the log; 0 if it couldn't be read. */
  readonly logSize: number;
  /** The short form of its root that two people can compare by eye; null if it couldn't be read. */
  readonly logRoot: string | null;
  /**
   * The pinned witnesses, and when each cosigned the newest checkpoint according to its own signature; null if it
   * didn't.
   */
  readonly witnesses: readonly { readonly name: string; readonly key: string; readonly at: number | null }[];
  /** The checkpoint's note to compare with from now on; null if it must not be stored. */
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
  /** This device's own clock; if left out, it isn't used. */
  readonly device?: number;
}

/**
 * Checks pending this long fail, unless they wait for a price that the log doesn't have either: docs/verification.md.
 */
const PENDING_MS_MAX = 60 * 60_000;

/** Runs every check of a settled order that this browser can do itself. `json` is the receipt as received. */
export async function verifyOrder(json: unknown, parts: VerifyParts): Promise<Verdict> {
  const { hashes, log, policy, order } = parts;
  const parsed = parseReceipt(json);
  if (!parsed.ok) {
    const check: OwnCheck = { id: "shown", state: "failed", why: parsed.fault, values: {} };
    return { state: "failed", checks: [check], logSize: 0, logRoot: null, witnesses: [], seen: null };
  }
  const { receipt } = parsed;
  const answer = await reached("log", async () =>
    readNewest(log, policy, { now: parts.now, device: parts.device ?? null }),
  );
  const newest = "check" in answer ? answer : { check: answer, checkpoint: null, note: "", witnesses: [] };
  // Its entries are checked even if it doesn't extend the checkpoint seen before, so that both faults are reported.
  const { checkpoint } = newest;
  const grown = await reached("log", async () => checkGrown(hashes, log, policy, newest, parts.seen));
  const own: OwnCheck[] = [
    checkShown(receipt, order, parts.decimals),
    checkKept(receipt, parts.kept),
    // Another device saw other heads, so there is nothing to compare.
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
    logRoot: checkpoint && shortRoot(checkpoint),
    witnesses: policy.witnessKeys.map((key) => standingOf(key, newest.witnesses)),
    seen: grown.state === "ok" || isUnwatched(grown) ? newest.note : null,
  };
}

function standingOf(key: VerifierKey, signers: readonly NoteSigner[]): Verdict["witnesses"][number] {
  const text = formatVerifierKey(key);
  const signer = signers.find((each) => formatVerifierKey(each.key) === text);
  return { name: key.name, key: text, at: signer?.time === undefined ? null : Number(signer.time) * 1000 };
}

/** Runs the receipt's own checks. If they wait for a price, runs them again with what the log says about it. */
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
  // If the log couldn't be read, nothing is known about the price.
  if (silence.state === "unread" || silence.state === "unchecked") return { shown: first, isSilent: true };
  if (!("toldThrough" in silence)) return { shown: first, isSilent: false };
  const shown = await examineReceipt(receipt, policy, { ...beside, toldThrough: silence.toldThrough });
  return { shown, isSilent: waitsForPrice(shown) };
}

/**
 * Returns when the receipt was fetched: the newest checkpoint's time, or the clocks' time if that is later over a slow
 * line. So the house can't hide anything by setting back its own clock.
 */
function readAt({ policy, now, device }: VerifyParts, { witnesses }: NewestCheckpoint): bigint {
  const at = cosignedAt(witnesses, policy.witnessesNeeded);
  const clock = BigInt(Math.max(now, device ?? now));
  return at !== null && at < clock ? at : clock;
}

function waitsForPrice(checks: readonly ReceiptCheck[]): boolean {
  return checks.some(({ id, state }) => state === "pending" && (id === "entry" || id === "exit"));
}

/**
 * Returns whether everything holds that can be checked with the pinned keys. Without a pinned witness that is less than
 * `ok`, but checking again tells nothing new.
 */
export function isAllThatCanBe({ state, checks }: Verdict): boolean {
  return state === "ok" || overall(checks.filter((check) => !isUnwatched(check))) === "ok";
}

function isUnwatched(check: Check): boolean {
  return check.state === "unchecked" && "named" in check && check.named === "log-unwatched";
}

/** Combines the checks. What only the placing device can check doesn't count when missing; any other gap does. */
function overall(checks: readonly Check[]): Verdict["state"] {
  const isOwn = ({ id }: Check) => id === "kept" || id === "heads";
  const has = (state: Check["state"]) => checks.some((check) => check.state === state && !isOwn(check));
  if (checks.some((check) => check.state === "failed")) return "failed";
  if (has("unchecked")) return "unchecked";
  return has("pending") ? "pending" : "ok";
}

/** Runs a check of the log. If the log doesn't answer, the check is `unchecked`; if it answers wrongly, it fails. */
async function reached<Answer>(id: OwnCheck["id"], ask: () => Promise<Answer>): Promise<Answer | OwnCheck> {
  try {
    return await ask();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    // A file that is missing or truncated is the log's fault; a broken connection isn't.
    const state = error instanceof Error && error.name === "LogFileError" ? "failed" : "unchecked";
    return { id, state, why, values: {} };
  }
}
