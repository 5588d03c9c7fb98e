import type { Instant, MemberId } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import { DEVICE_KEPT_MS, type DeviceKey } from "../../platform/device-key.ts";

/** Beyond this many, a member's oldest device is forgotten. */
const DEVICES_MAX = 20;

/** Whether the account's member has logged in on this device before. */
export async function isKnownDevice(db: Queryable, account: string, device: DeviceKey | null): Promise<boolean> {
  if (device?.isSigned !== true) return false;
  const known = await db.query(
    "SELECT 1 FROM known_devices JOIN members USING (member_id) WHERE (phone = $1 OR email = $1) AND device_hash = $2",
    [account, device.hash],
  );
  return known.length > 0;
}

/** Stores a device that has just logged in, and forgets the member's oldest beyond twenty. */
export async function rememberDevice(db: Queryable, memberId: MemberId, hash: Buffer, now: Instant): Promise<void> {
  await db.query(
    `INSERT INTO known_devices (member_id, device_hash, made_at, seen_at) VALUES ($1, $2, $3, $3)
     ON CONFLICT (member_id, device_hash) DO UPDATE SET seen_at = $3`,
    [memberId, hash, now],
  );
  await db.query(
    `DELETE FROM known_devices WHERE member_id = $1 AND device_hash IN
       (SELECT device_hash FROM known_devices WHERE member_id = $1 ORDER BY seen_at DESC, device_hash OFFSET $2)`,
    [memberId, DEVICES_MAX],
  );
}

/** Forgets all of a member's devices but one, since anyone who knew the old password may have used the others. */
export async function forgetDevices(db: Queryable, memberId: MemberId, except: DeviceKey | null = null): Promise<void> {
  await db.query("DELETE FROM known_devices WHERE member_id = $1 AND device_hash IS DISTINCT FROM $2", [
    memberId,
    except?.hash ?? null,
  ]);
}

/** Deletes devices whose browsers have dropped their cookie by now. */
export async function sweepDevices(db: Queryable, now: Instant): Promise<void> {
  await db.query("DELETE FROM known_devices WHERE seen_at < $1::bigint - $2::bigint", [now, DEVICE_KEPT_MS]);
}
