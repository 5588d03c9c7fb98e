import type { DeviceId, SealedPart } from "@fairtick/domain";

/** Columns of `orders o` that a sealed order has. All are null for one placed in the open. */
export const SEALED_COLUMNS = "o.seal, o.device_id, o.seen_slot, o.seen_hash, o.signature";

/** Returns an order's sealed part from these five columns, in their order; null for one placed in the open. */
export function sealedOf(
  seal: Uint8Array | null,
  deviceId: bigint | null,
  seenSlot: bigint | null,
  seenHash: Uint8Array | null,
  signature: Uint8Array | null,
): SealedPart | null {
  if (seal === null || deviceId === null || seenSlot === null || seenHash === null || signature === null) return null;
  return { seal, deviceId: deviceId as DeviceId, seenSlot, seenHash, signature };
}
