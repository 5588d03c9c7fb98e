export { type DeviceKeys, openDeviceKeys, verifyByKey } from "./device-keys.ts";
export { listDevices } from "./list-devices.ts";
export { orderDeviceRoutes } from "./order-device-routes.ts";
export { SEALED_COLUMNS, sealedOf } from "./sealed-part.ts";
