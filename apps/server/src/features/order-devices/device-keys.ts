import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { DeviceId } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import { derSignature } from "./der-signature.ts";

/** Keys of devices, kept once they were read: a device's key never changes. Whether it still signs is asked of its member's terms. */
export interface DeviceKeys {
  /** Whether the signature (r and s, 64 bytes) over the text is the device's; false for a device that there is not. */
  verify(deviceId: DeviceId, text: string, signature: Uint8Array): Promise<boolean>;
}

export function openDeviceKeys(database: Queryable, keysMax = 50_000): DeviceKeys {
  const known = new Map<DeviceId, KeyObject>();

  async function keyOf(deviceId: DeviceId): Promise<KeyObject | null> {
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
  }

  return {
    async verify(deviceId, text, signature) {
      const key = await keyOf(deviceId);
      const der = derSignature(signature);
      if (key === null || der === null) return false;
      // Off the thread that takes orders: it costs as much as all else that an order does.
      return new Promise((resolve, reject) => {
        verify("sha256", Buffer.from(text), key, der, (error, holds) =>
          error === null ? resolve(holds) : reject(error),
        );
      });
    },
  };
}
