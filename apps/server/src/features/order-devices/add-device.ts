import { createPublicKey, randomBytes } from "node:crypto";
import {
  accept,
  deviceHash,
  type DeviceId,
  formatId,
  type Instant,
  type MemberId,
  NONCE_BYTES,
  ORDER_DEVICES_MAX,
  refuse,
  type Verdict,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { Queryable } from "../../platform/database.ts";
import { sendWarning, type Warning, warnMember } from "../security-notices/index.ts";
import { checkTradePassword, type SessionContext } from "../sessions/index.ts";

/** A device that is to sign a member's orders. */
export interface DeviceWish {
  /** The public key as SPKI in DER, base64url. */
  readonly publicKey: string;
  readonly label: string;
  /** Needed if the member has had a device before. */
  readonly tradePassword?: string | undefined;
}

/**
 * Lets a device's key sign the member's orders. The same key again returns the same device. The first device needs only
 * a session, since there is no other device that it could impersonate. Each further one needs the transaction password,
 * and the member is warned on every channel. Refuses FIELD_INVALID (publicKey), FIELD_MISSING (tradePassword),
 * TRADE_PASSWORD_WRONG[left], TRADE_PASSWORD_LOCKED[until], TRADE_PASSWORD_NOT_SET, DEVICES_FULL[max].
 */
export async function addDevice(
  context: SessionContext,
  memberId: MemberId,
  wish: DeviceWish,
  now: Instant,
): Promise<Verdict<{ readonly deviceId: string }>> {
  const key = p256Spki(wish.publicKey);
  if (key === null) return refuse("FIELD_INVALID", undefined, { publicKey: "FIELD_INVALID" });
  const { reader, sessions } = context.databases;
  const known = await readKnown(reader, memberId);
  const same = known.find((device) => device.removed_at === null && key.equals(device.public_key));
  if (same !== undefined) return accept({ deviceId: formatId("device", same.device_id as DeviceId) });
  if (known.length > 0) {
    const { tradePassword } = wish;
    if (tradePassword === undefined) return refuse("FIELD_MISSING", undefined, { tradePassword: "FIELD_MISSING" });
    const checked = await checkTradePassword(context, memberId, tradePassword, now);
    if (!checked.ok) return checked;
  }
  if (known.filter((device) => device.removed_at === null).length >= ORDER_DEVICES_MAX)
    return refuse("DEVICES_FULL", { max: ORDER_DEVICES_MAX });
  const deviceId = context.ids.next() as DeviceId;
  const device = formatId("device", deviceId);
  const nonce = randomBytes(NONCE_BYTES);
  const told = { device, key: wish.publicKey, member: formatId("member", memberId) };
  const warning = await sessions.transaction(async (db): Promise<Warning | null> => {
    await db.query("SELECT add_order_device($1, $2, $3, $4, $5, $6) AS at", [
      deviceId,
      memberId,
      key,
      wish.label,
      nonce,
      deviceHash(nodeHashes, nonce, told),
    ]);
    if (known.length === 0) return null;
    return warnMember(db, context, memberId, { key: "orderDeviceAdded", params: { device: wish.label } });
  });
  if (warning !== null) sendWarning(context, warning);
  return accept({ deviceId: device });
}

async function readKnown(db: Queryable, memberId: MemberId) {
  return db.query<{ device_id: bigint; public_key: Uint8Array; removed_at: bigint | null }>(
    "SELECT device_id, public_key, removed_at FROM order_devices WHERE member_id = $1",
    [memberId],
  );
}

/** Parses a P-256 public key. Returns its bytes in the one accepted form; null for anything else. */
function p256Spki(text: string): Buffer | null {
  const der = Buffer.from(text, "base64url");
  if (der.toString("base64url") !== text) return null;
  try {
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    const isP256 = key.asymmetricKeyDetails?.namedCurve === "prime256v1";
    return isP256 && key.export({ format: "der", type: "spki" }).equals(der) ? der : null;
  } catch {
    return null;
  }
}
