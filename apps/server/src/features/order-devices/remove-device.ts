import { accept, fromHex, type MemberId, parseId, refuse, type Verdict } from "@fairtick/domain";
import type { SessionContext } from "../sessions/index.ts";
import { listDevices } from "./list-devices.ts";

/**
 * Removes one of the member's devices. Doing it twice changes nothing more. Refuses NOT_FOUND for a device that was
 * never theirs.
 */
export async function removeDevice(
  { databases }: Pick<SessionContext, "databases">,
  memberId: MemberId,
  deviceId: string,
): Promise<Verdict<null>> {
  const id = parseId("device", deviceId);
  const device = (await listDevices(databases.reader, memberId)).find((each) => each.deviceId === deviceId);
  if (id === null || device === undefined) return refuse("NOT_FOUND");
  await databases.sessions.query("SELECT remove_order_device($1, $2, $3) AS at", [id, memberId, fromHex(device.hash)]);
  return accept(null);
}
