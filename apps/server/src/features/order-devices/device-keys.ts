import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { DeviceId } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import { derSignature } from "./der-signature.ts";

/**
 * Verifies devices' signatures. Keeps keys in memory once they were read, because a device's key never changes. Whether
 * the device may still sign follows from its member's terms.
 */
export interface DeviceKeys {
  /** Finds a device's key; null for an unknown device. */
  find(deviceId: DeviceId): Promise<KeyObject | null>;
}

export function openDeviceKeys(database: Queryable, keysMax = 50_000): DeviceKeys {
  const known = new Map<DeviceId, KeyObject>();

  return {
    async find(deviceId) {
      const kept = known.get(deviceId);
      if (kept !== undefined) return kept;
      const [row] = await database.query<{ public_key: Uint8Array }>(
        "SELECT public_key FROM order_devices WHERE device_id = $1",
        [deviceId],
      );
      if (row === undefined) return null;
      const key = createPublicKey({ key: Buffer.from(row.public_key), format: "der", type: "spki" });
      if (known.size >= keysMax) known.delete(known.keys().next().value as DeviceId);
      known.set(deviceId, key);
      return key;
    },
  };
}

/** Returns whether the key made the signature (r and s, 64 bytes) over the text. Verifies on another thread. */
export function verifyByKey(key: KeyObject, text: string, signature: Uint8Array): Promise<boolean> {
  const der = derSignature(signature);
  if (der === null) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    // Verifying takes as long as everything else about an order.
    verify("sha256", Buffer.from(text), key, der, (error, holds) => (error === null ? resolve(holds) : reject(error)));
  });
}
