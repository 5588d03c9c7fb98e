import { setTimeout as sleep } from "node:timers/promises";
import { placeSealed, reveal } from "./device.ts";
import { one, type SealedHouse, stolenCall } from "./house.ts";
import { lookAtReceipt, type Notice } from "./look.ts";

/** Longer than an order may be under way after the removal of its device. */
const LATER_MS = 5_000;
const LOGGED_MS = 5_000;

/** Lets a device sign again that its member had lost and removed, and hides that afterwards. */
export async function useRemovedDevice(house: SealedHouse): Promise<Notice[]> {
  const { product } = house;
  const device = one(house, 12);
  const owner = await stolenCall(house, device);
  const removed = await owner("device/remove", { deviceId: device.deviceId });
  if (removed.status !== 200) throw new Error(`the device was not removed: ${JSON.stringify(removed.data)}`);
  await sleep(LATER_MS);
  const where = `member_id = ${device.memberId}`;
  const [row] = await product.sql<{ removed_at: string }>(`SELECT removed_at FROM order_devices WHERE ${where}`);
  await product.sql(`UPDATE order_devices SET removed_at = NULL WHERE ${where}`);
  const kept = await placeSealed(device, house.terms, house.heads.newest());
  await product.sql(`UPDATE order_devices SET removed_at = ${row?.removed_at} WHERE ${where}`);
  if (kept.answer.kind !== "accepted") throw new Error(`the order was refused: ${kept.answer.error}`);
  await reveal(device, kept);
  await sleep(LOGGED_MS);
  return (await lookAtReceipt(house, device, kept.answer.order.orderNo, "beside the log")).slice(0, 1);
}
