import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { deviceCookie, type DeviceKey, deviceKeyOfCookies, type DeviceOwner, readDeviceKey } from "../device-key.ts";

/** The header in which clients without cookies send their key, or `new` to get one in the same header of the answer. */
export const DEVICE_HEADER = "exchange2508device";

/** Reads and writes a request's device key, in its cookie or in the header for clients without cookies. */
export interface DeviceKeys {
  read(request: Pick<IncomingMessage, "headers">): DeviceKey | null;
  keep(request: FastifyRequest, reply: FastifyReply, key: string): void;
}

export function createDeviceKeys(secret: Buffer, owner: DeviceOwner, url: () => string): DeviceKeys {
  return {
    read({ headers }) {
      const sent = headers[DEVICE_HEADER];
      const key = typeof sent === "string" ? sent : deviceKeyOfCookies(headers.cookie, url(), owner);
      return readDeviceKey(key, secret, owner);
    },
    keep({ headers }, reply, key) {
      if (headers[DEVICE_HEADER] !== undefined) void reply.header(DEVICE_HEADER, key);
      else void reply.header("set-cookie", deviceCookie(url(), owner, key));
    },
  };
}
