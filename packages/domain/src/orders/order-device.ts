import { concatBytes, utf8 } from "../log/bytes.ts";
import { canonicalJson } from "../log/canonical-json.ts";
import type { Hashes } from "../log/hashes.ts";

/** A device whose key signs its member's orders, as the public log knows it: by a hash that only its member can open. */
export interface LoggedDevice {
  /** `dev_…` */
  readonly device: string;
  /** Its public key: SPKI in DER, base64url. */
  readonly key: string;
  /** `usr_…` */
  readonly member: string;
}

/** How many devices of one member may sign orders at the same time. */
export const ORDER_DEVICES_MAX = 10;

const DEVICE_PREFIX = utf8("DEVICE1\0");

/**
 * Answers the hash by which `device.add` and `device.remove` name a device: SHA256("DEVICE1\0" || nonce (16 bytes) ||
 * canonical JSON of `device, key, member, v` 1).
 */
export function deviceHash(hashes: Hashes, nonce: Uint8Array, { device, key, member }: LoggedDevice): Uint8Array {
  return hashes.sha256(concatBytes(DEVICE_PREFIX, nonce, utf8(canonicalJson({ device, key, member, v: 1 }))));
}
