import { concatBytes, utf8 } from "../log/bytes.ts";
import { canonicalJson } from "../log/canonical-json.ts";
import type { Hashes } from "../log/hashes.ts";

/** A device whose key signs its member's orders. The public log names it by a hash that only its member can open. */
export interface LoggedDevice {
  /** Such as `dev_…`. */
  readonly device: string;
  /** Its public key, as SPKI in DER, base64url. */
  readonly key: string;
  /** Such as `usr_…`. */
  readonly member: string;
}

/** Number of devices of one member that may sign orders at the same time. */
export const ORDER_DEVICES_MAX = 10;

const DEVICE_PREFIX = utf8("DEVICE1\0");

/**
 * Returns the hash by which `device.add` and `device.remove` name a device: SHA256("DEVICE1\0" || nonce (16 bytes) ||
 * canonical JSON of `device, key, member, v` 1).
 */
export function deviceHash(hashes: Hashes, nonce: Uint8Array, { device, key, member }: LoggedDevice): Uint8Array {
  return hashes.sha256(concatBytes(DEVICE_PREFIX, nonce, utf8(canonicalJson({ device, key, member, v: 1 }))));
}
