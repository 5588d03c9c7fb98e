import {
  batchRoot,
  equalBytes,
  formatMoney,
  formerBatchRoot,
  formerOrderCommitment,
  merklePathRoot,
  opensSeal,
  orderCommitment,
  privateHash,
  termsHash,
  utf8,
  type Hashes,
  type Points,
} from "@fairtick/domain";
import { verifyBatchRoot } from "./acceptance.ts";
import { termsFollow, type ConfigTerms } from "./committed-order.ts";
import { failed, ok, pending, type Answer, type Evidence, type Values } from "./receipt-evidence.ts";
import type { LoggedEntry, Receipt } from "./receipt.ts";
import { missing } from "./receipt-overdue.ts";
import { checkLogged, findAcceptanceKey } from "./verifier-policy.ts";

// The checks of what was agreed, and that the house was bound to it immediately.

/** Checks that the commitment binds the texts shown, and that the revealed direction and limit price open the seal. */
export function checkCommitment({ hashes, receipt, order }: Evidence): Answer {
  if (order === null) return failed("the order's JSON is malformed");
  const values = { orderNo: order.orderNo, direction: order.direction ?? "sealed", stake: formatMoney(order.stake) };
  const made = commitmentOf(hashes, receipt);
  if (!equalBytes(made, receipt.acceptance.commitment)) return failed("other terms were committed to", values);
  const seal = receipt.v === 1 ? null : receipt.seal;
  if (order.sealed === null) return seal === null ? ok(values) : failed("it was never sealed", values);
  if (seal === null) return failed("it was sealed, and its seal is not shown", values);
  const { opened } = seal;
  if (opened === null) return ok(values);
  const choice = { direction: opened.direction, limitPrice: opened.limitPrice as Points | null };
  return opensSeal(hashes, order.sealed.seal, opened.nonce, choice)
    ? ok(values)
    : failed("another direction or limit price was sealed", values);
}

function commitmentOf(hashes: Hashes, receipt: Receipt): Uint8Array {
  if (receipt.v === 1) return formerOrderCommitment(hashes, receipt.nonce, receipt.order);
  const terms = termsHash(hashes, receipt.terms.nonce, receipt.terms.json);
  return orderCommitment(hashes, terms, privateHash(hashes, receipt.own.nonce, receipt.own.json));
}

/** Checks that the commitment is at its place among the accepted orders of a batch with this number and time. */
export function checkBatch({ hashes, receipt }: Evidence): Answer {
  const { batch, acceptedAt, commitment, place, count, path, root: signed } = receipt.acceptance;
  const values = { batch, place, acceptedAt: Number(acceptedAt) };
  const root = merklePathRoot(hashes, { entry: commitment, index: place, size: count, path });
  if (root === null) return failed("the path does not fit the batch", values);
  const made =
    receipt.v === 1
      ? formerBatchRoot(hashes, BigInt(batch), acceptedAt, root)
      : batchRoot(hashes, BigInt(batch), acceptedAt, receipt.acceptance.accepted, root);
  if (!equalBytes(made, signed)) return failed("the path leads to another root", values);
  const isAccepted = receipt.v === 1 || place < receipt.acceptance.accepted;
  return isAccepted ? ok(values) : failed("it stands among what was refused", values);
}

/** Checks that the house signed the batch's root when it accepted the order. */
export function checkSignature({ receipt, policy }: Evidence): Answer {
  const { key: keyId, root, signature } = receipt.acceptance;
  const key = findAcceptanceKey(policy, keyId);
  if (key === null) return failed("signed with an unknown key", { key: keyId });
  return verifyBatchRoot(key, root, signature)
    ? ok({ key: key.name })
    : failed("the signature does not hold", { key: key.name });
}

/**
 * Checks that rate, fee and profit follow from the configuration that the order names, and that it was logged before.
 */
export function checkTerms(evidence: Evidence): Answer {
  const { receipt, order, config, rules } = evidence;
  const { logged } = receipt.config;
  if (order === null) return failed("order or configuration is malformed");
  if (logged === null) {
    const values = { configVersion: order.configVersion };
    const why = `version ${order.configVersion} was used and is not in the log`;
    return { ...failed(why, values), named: "config-not-logged" };
  }
  if (config === null || rules === null) return failed("order or configuration is malformed");
  const values = {
    configVersion: config.version,
    payoutRate: order.payoutRate.toString(),
    fee: formatMoney(order.fee),
    profitIfWon: formatMoney(order.profitIfWon),
  };
  if (config.version !== order.configVersion) return failed("another configuration is shown", values);
  if (config.effectiveAt > receipt.acceptance.acceptedAt) return failed("it was not in force yet", values);
  if (!termsFollow(order, rules)) return failed("rate, fee or profit are others", values);
  return checkConfigInLog(evidence, config, logged, values);
}

/** Checks that the log has this configuration before the batch, under the version that the batch names. */
function checkConfigInLog(
  { hashes, receipt, policy }: Evidence,
  config: ConfigTerms,
  logged: LoggedEntry,
  values: Values,
): Answer {
  const fact = checkLogged(hashes, "config", logged, policy);
  if (fact.state === "failed") return failed(fact.why, values);
  const { entry } = fact;
  const same = equalBytes(hashes.sha256(utf8(receipt.config.body)), entry.hash);
  if (!same || entry.version !== config.version || entry.effectiveAt !== config.effectiveAt) {
    return failed("the log has another configuration under this version", values);
  }
  const accepted = checkLogged(hashes, "orders.accept", receipt.accepted, policy);
  const agreed = accepted.state === "failed" ? undefined : accepted.entry.config;
  if (agreed !== undefined && agreed !== config.version) {
    return failed("the log has its batch under another version", { ...values, inLog: agreed });
  }
  if (fact.state === "pending") return pending("not in a checkpoint yet", values);
  const isLater = accepted.state === "ok" && accepted.index < fact.index;
  return isLater ? failed("it came into the log after the order", values) : ok(values);
}

/** Checks that the batch is in a valid checkpoint with this commitment at its place. */
export function checkAcceptedInLog(evidence: Evidence): Answer {
  const { hashes, receipt, policy } = evidence;
  const { acceptance } = receipt;
  const fact = checkLogged(hashes, "orders.accept", receipt.accepted, policy);
  if (fact.state === "failed") return failed(fact.why);
  const { entry } = fact;
  const held = entry.commitments.subarray(acceptance.place * 32, acceptance.place * 32 + 32);
  if (entry.batch !== acceptance.batch || entry.acceptedAt !== acceptance.acceptedAt) {
    return failed("it is another batch", { batch: entry.batch });
  }
  const sizes = [entry.commitments.length + entry.refusals.length, acceptance.count * 32];
  const isOther = receipt.v === 2 && entry.commitments.length !== receipt.acceptance.accepted * 32;
  if (sizes[0] !== sizes[1] || isOther || !equalBytes(held, acceptance.commitment)) {
    return failed("the log has another order in this place", { batch: entry.batch });
  }
  if (fact.state === "pending") {
    return missing(evidence, entry.acceptedAt, "not in a checkpoint yet", { batch: entry.batch });
  }
  return ok({ batch: entry.batch, index: fact.index, size: fact.size });
}
