import { p256 } from "@noble/curves/nist.js";
import {
  concatBytes,
  deviceHash,
  type DeviceId,
  formatId,
  fromHex,
  type Hashes,
  type MemberId,
  type SealedPart,
  type SealedWish,
  utf8,
  wishText,
} from "@fairtick/domain";

// For tests: the device that signs all orders.

export const TEST_MEMBER = 9n as MemberId;
const DEVICE_ID = 7n as DeviceId;
const SECRET = new Uint8Array(32).fill(3);
const SPKI_HEAD = fromHex("3059301306072a8648ce3d020106082a8648ce3d030107034200") ?? new Uint8Array();

/** The device as a receipt shows it: its SPKI, and the nonce of its entry in the log. */
export const TEST_DEVICE = {
  key: concatBytes(SPKI_HEAD, p256.getPublicKey(SECRET, false)),
  nonce: new Uint8Array(16).fill(4),
};

/** Calculates the hash in the device's log entry. */
export function testDeviceHash(hashes: Hashes): Uint8Array {
  const told = { device: formatId("device", DEVICE_ID), member: formatId("member", TEST_MEMBER) };
  const key = Buffer.from(TEST_DEVICE.key).toString("base64url");
  return deviceHash(hashes, TEST_DEVICE.nonce, { ...told, key });
}

/** Signs a wish like a device that has seen this slot. */
export function signSealed(
  wish: Omit<SealedWish, "deviceId" | "seenSlot" | "seenHash">,
  { k, hash }: { readonly k: number; readonly hash: Uint8Array },
): SealedPart {
  const seen = { seenSlot: BigInt(k), seenHash: hash };
  const text = wishText({ ...wish, ...seen, deviceId: formatId("device", DEVICE_ID) });
  return { seal: wish.seal, deviceId: DEVICE_ID, ...seen, signature: p256.sign(utf8(text), SECRET) };
}
