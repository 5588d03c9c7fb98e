import { p256 } from "@noble/curves/nist.js";
import { concatBytes, deviceHash, equalBytes, fromHex, utf8, wishText } from "@fairtick/domain";
import { toBase64 } from "./base64.ts";
import type { CommittedOrder, CommittedSeal } from "./committed-order.ts";
import { isAfterRemoval } from "./read-removal.ts";
import { type Answer, type Evidence, failed, ok, pending, type Values } from "./receipt-evidence.ts";
import { missing } from "./receipt-overdue.ts";
import { checkLogged } from "./verifier-policy.ts";

/** The SPKI bytes of a P-256 key before its uncompressed point (RFC 5480). */
const P256_SPKI = fromHex("3059301306072a8648ce3d020106082a8648ce3d030107034200") ?? new Uint8Array();
const POINT_BYTES = 65;

/**
 * Checks that a device of the order's member, with its key in the log, signed the wish that the order was made from,
 * and that the log doesn't remove it before the order, if the reader looked there.
 */
export function checkDevice(evidence: Evidence): Answer {
  const { hashes, receipt, order, policy } = evidence;
  if (order === null) return failed("the order's JSON is malformed");
  const { sealed } = order;
  const shown = receipt.v === 1 ? null : receipt.seal;
  if (sealed === null) return shown === null ? ok({}) : failed("it was never sealed");
  if (shown === null) return failed("the device is not shown");
  const values = { device: sealed.device };
  const { key, nonce, logged } = shown.device;
  if (!signedBy(key, order, sealed)) return failed("the device did not sign this order", values);
  const told = { device: sealed.device, key: base64Url(key), member: order.member };
  const fact = checkLogged(hashes, "device.add", logged, policy);
  if (fact.state === "failed") return failed(fact.why, values);
  if (!equalBytes(deviceHash(hashes, nonce, told), fact.entry.hash))
    return failed("the log has another device", values);
  if (fact.state === "pending") return missing(evidence, fact.entry.at, "not in a checkpoint yet", values);
  const accepted = checkLogged(hashes, "orders.accept", receipt.accepted, policy);
  const isLater = accepted.state === "ok" && accepted.index < fact.index;
  return isLater ? failed("the device came into the log after the order", values) : checkRemoval(evidence, values);
}

/** Checks that the device had not been removed before the order, as far as the reader asked the log. */
function checkRemoval({ removal, receipt }: Evidence, values: Values): Answer {
  if (removal === null) return ok(values);
  if (removal.state === "short") return pending("the log read ends before the order's batch", values);
  const { removedAt } = removal;
  if (!isAfterRemoval(receipt.acceptance.acceptedAt, removedAt)) return ok(values);
  return failed("the device had been removed before the order", { ...values, removedAt: Number(removedAt) });
}

/** Returns whether the key (SPKI) made the order's signature (r || s) over the wish as the device sent it. */
function signedBy(key: Uint8Array, order: CommittedOrder, sealed: CommittedSeal): boolean {
  const point = key.subarray(P256_SPKI.length);
  if (point.length !== POINT_BYTES || !equalBytes(concatBytes(P256_SPKI, point), key)) return false;
  const wish = { ...order, ...sealed, deviceId: sealed.device, seenSlot: BigInt(sealed.seenSlot) };
  try {
    // Browsers and OpenSSL make signatures with low and high s.
    return p256.verify(sealed.signature, utf8(wishText(wish)), point, { lowS: false });
  } catch {
    // The point is not on the curve, or r or s is out of range.
    return false;
  }
}

function base64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
