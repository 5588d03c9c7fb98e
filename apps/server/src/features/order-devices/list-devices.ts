import { deviceHash, type DeviceId, formatId, type MemberId, toHex } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { OrderDevice } from "@fairtick/protocol";
import type { Queryable } from "../../platform/database.ts";

/** Lists the devices that sign a member's orders and those that did earlier, newest first. */
export async function listDevices(db: Queryable, memberId: MemberId): Promise<OrderDevice[]> {
  const rows = await db.query<{
    device_id: bigint;
    label: string;
    public_key: Uint8Array;
    nonce: Uint8Array;
    added_at: bigint;
    removed_at: bigint | null;
  }>(
    `SELECT device_id, label, public_key, nonce, added_at, removed_at FROM order_devices
     WHERE member_id = $1 ORDER BY device_id DESC`,
    [memberId],
  );
  return rows.map((row) => {
    const device = formatId("device", row.device_id as DeviceId);
    const key = Buffer.from(row.public_key).toString("base64url");
    return {
      deviceId: device,
      label: row.label,
      publicKey: key,
      addedAt: Number(row.added_at),
      removedAt: row.removed_at === null ? null : Number(row.removed_at),
      hash: toHex(deviceHash(nodeHashes, row.nonce, { device, key, member: formatId("member", memberId) })),
      nonce: toHex(row.nonce),
    };
  });
}
