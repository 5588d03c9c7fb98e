import type { deviceList, deviceRemove, OrderDevice } from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { storedMemberId } from "./member-id.ts";
import { keys, queryClient } from "./queries.ts";
import { readDevice } from "./sealed/shelf.ts";
import { ask } from "./transport.ts";

export interface ShownOrderDevice extends OrderDevice {
  /** Whether it is this browser. */
  readonly current: boolean;
}

/** Devices whose key signs the member's orders, newest first. */
export function useOrderDevices(): UseQueryResult<ShownOrderDevice[]> {
  return useQuery({
    queryKey: keys.orderDevices,
    queryFn: async () => {
      const devices = await ask<typeof deviceList>("device/list", {});
      // A browser without storage has no device key of its own.
      const own = await readDevice(storedMemberId()).catch(() => undefined);
      return devices
        .filter(({ removedAt }) => removedAt === null)
        .map((device) => Object.assign(device, { current: device.publicKey === own?.publicKey }));
    },
  });
}

/** Removes a device, which can no longer sign orders from then on. */
export async function removeOrderDevice(deviceId: string): Promise<void> {
  await ask<typeof deviceRemove>("device/remove", { deviceId });
  await queryClient.invalidateQueries({ queryKey: keys.orderDevices });
}
