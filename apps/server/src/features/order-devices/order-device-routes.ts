import { accept } from "@fairtick/domain";
import { deviceAdd, deviceList, deviceRemove } from "@fairtick/protocol";
import { type Route, route } from "../../platform/http/index.ts";
import type { SessionContext } from "../sessions/index.ts";
import { addDevice } from "./add-device.ts";
import { listDevices } from "./list-devices.ts";
import { removeDevice } from "./remove-device.ts";

/** Routes for the devices that sign a member's orders. */
export function orderDeviceRoutes(context: SessionContext): Route[] {
  return [
    route(deviceAdd, ({ input, session, now }) => addDevice(context, session.memberId, input, now)),
    route(deviceList, async ({ session }) => accept(await listDevices(context.databases.reader, session.memberId))),
    route(deviceRemove, ({ input, session }) => removeDevice(context, session.memberId, input.deviceId)),
  ];
}
