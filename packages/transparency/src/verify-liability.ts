import { equalBytes, fromHex, parseMoney, type Hashes } from "@fairtick/domain";
import { SUM_NONCE_BYTES, sumPathRoot, type SumNode, type SumStep } from "./sum-tree.ts";
import { checkLogged, type LoggedFact, type VerifierPolicy } from "./verifier-policy.ts";

/** A member's place in a day's sum tree, as returned by the call `user/liabilityPath`. */
export interface LiabilityProof {
  /** UTC day, such as `2026-11-21`. */
  readonly day: string;
  readonly leaf: { readonly amount: string; readonly nonce: string };
  readonly path: readonly { readonly side: "left" | "right"; readonly sum: string; readonly hash: string }[];
  readonly root: { readonly sum: string; readonly hash: string };
  readonly logged: { readonly entry: string; readonly proof: string | null } | null;
}

export interface LiabilityVerdict {
  readonly state: "ok" | "failed" | "pending";
  /** English, for a report. */
  readonly why?: string;
  /** Index of the entry in the log. */
  readonly index?: number;
}

const DAY_MS = 86_400_000;

/**
 * Verifies that a member's amount on a day is in the sum in the public log. Never throws, whatever the proof contains.
 */
export function verifyLiability(
  hashes: Hashes,
  proof: LiabilityProof,
  member: string,
  policy: VerifierPolicy,
): LiabilityVerdict {
  const day = Date.parse(`${proof.day}T00:00:00Z`) / DAY_MS;
  const [amount, nonce] = [parseMoney(proof.leaf.amount), fromHex(proof.leaf.nonce)];
  if (!Number.isSafeInteger(day) || amount === null || nonce?.length !== SUM_NONCE_BYTES) {
    return failed("day, amount or nonce are malformed");
  }
  const path = readPath(proof.path);
  if (path === null) return failed("a step of the path is malformed");
  const made = sumPathRoot(hashes, { day, wallet: "real", member, amount, nonce }, path);
  if (made === null) return failed("the path is none");
  const [rootSum, rootHash] = [parseMoney(proof.root.sum), fromHex(proof.root.hash)];
  if (rootSum !== made.sum || rootHash === null || !equalBytes(rootHash, made.hash)) {
    return failed("the path leads to another sum or root");
  }
  if (proof.logged === null) return { state: "pending", why: "not in the log yet" };
  return verifyLogged(checkLogged(hashes, "liabilities", proof.logged, policy), day, made);
}

/** Parses the steps from the member to the root; null if one is malformed. */
function readPath(steps: LiabilityProof["path"]): SumStep[] | null {
  const path: SumStep[] = [];
  for (const { side, sum, hash } of steps) {
    const node = { sum: parseMoney(sum), hash: fromHex(hash) };
    if (node.sum === null || node.hash?.length !== 32) return null;
    path.push({ side, node: { sum: node.sum, hash: node.hash } });
  }
  return path;
}

/** Checks that the log, which is the same for everyone, has this sum and root for the day. */
function verifyLogged(fact: LoggedFact<"liabilities">, day: number, made: SumNode): LiabilityVerdict {
  if (fact.entry !== null) {
    const { entry } = fact;
    const same = entry.day === day && entry.wallet === "real" && entry.sum === made.sum;
    if (!same || !equalBytes(entry.root, made.hash)) return failed("the log has another sum or root of that day");
  }
  if (fact.state === "failed") return failed(fact.why);
  if (fact.state === "pending") return { state: "pending", why: "not in a checkpoint yet" };
  return { state: "ok", index: fact.index };
}

function failed(why: string): LiabilityVerdict {
  return { state: "failed", why };
}
