import * as v from "valibot";
import { defineCall } from "../member-call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";

/** A P-256 public key as SPKI in DER, base64url: 91 bytes. */
const publicKey = v.pipe(v.string(), v.maxLength(122), v.regex(/^[A-Za-z0-9_-]{122}$/));

/** A device whose key signs its member's orders. */
const orderDevice = v.object({
  deviceId: s.text,
  label: s.text,
  publicKey: s.text,
  addedAt: s.time,
  /** Null while the device's key is in use. */
  removedAt: v.nullable(s.time),
  /** The device's hash in the public log, and the nonce (hexadecimal) that proves the hash belongs to it. */
  hash: s.text,
  nonce: s.text,
});
export type OrderDevice = v.InferOutput<typeof orderDevice>;

export const deviceAdd = defineCall({
  path: "device/add",
  access: "member",
  summary:
    "Adds a device whose key may sign the member's orders. The first one needs only the session, each further one the transaction password. Adding the same key again returns the same device.",
  input: v.object({ publicKey, label: f.line(60), tradePassword: v.optional(f.tradePassword) }),
  output: v.object({ deviceId: s.text }),
  idempotent: true,
  limit: "write",
});

export const deviceList = defineCall({
  path: "device/list",
  access: "member",
  summary: "Lists the devices that sign or used to sign the member's orders, newest first.",
  input: v.object({}),
  output: v.array(orderDevice),
  idempotent: true,
  limit: "read",
});

export const deviceRemove = defineCall({
  path: "device/remove",
  access: "member",
  summary: "Removes a device, which can't sign orders any more. Orders that it signed stay.",
  input: v.object({ deviceId: f.opaqueId }),
  output: s.nothing,
  idempotent: true,
  limit: "write",
});
