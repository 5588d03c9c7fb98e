import type { Instant } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import { type DeviceKey, signDeviceKey } from "../../platform/device-key.ts";

/** Whether an operator with this login has given both factors on this device before. */
export async function isOperatorsDevice(db: Queryable, login: string, device: DeviceKey | null): Promise<boolean> {
  if (device?.isSigned !== true) return false;
  const known = await db.query(
    "SELECT 1 FROM operator_devices JOIN operators USING (operator_id) WHERE login = $1 AND device_hash = $2",
    [login, device.hash],
  );
  return known.length > 0;
}

/**
 * Stores the device of an operator who has given both factors. Returns a new key if the browser has none that was made
 * here, and whether the operator used the device for the first time.
 */
export async function rememberOperatorsDevice(
  db: Queryable,
  secret: Buffer,
  { operatorId, deviceKey, now }: { operatorId: bigint; deviceKey: DeviceKey | null; now: Instant },
): Promise<{ readonly made: string | null; readonly isNew: boolean }> {
  const made = deviceKey?.isSigned === true ? null : signDeviceKey(secret, "operator");
  const [kept] = await db.query<{ is_new: boolean }>(
    `INSERT INTO operator_devices (operator_id, device_hash, made_at, seen_at) VALUES ($1, $2, $3, $3)
     ON CONFLICT (operator_id, device_hash) DO UPDATE SET seen_at = $3
     RETURNING made_at = $3 AS is_new`,
    [operatorId, (made ?? deviceKey)?.hash, now],
  );
  await db.query(
    `DELETE FROM operator_devices WHERE operator_id = $1 AND device_hash IN
       (SELECT device_hash FROM operator_devices WHERE operator_id = $1 ORDER BY seen_at DESC, device_hash OFFSET 20)`,
    [operatorId],
  );
  return { made: made?.text ?? null, isNew: kept?.is_new ?? false };
}
