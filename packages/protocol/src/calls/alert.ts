import * as v from "valibot";
import { defineCall } from "../member-call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";

export const alertList = defineCall({
  path: "alert/list",
  access: "member",
  summary: "Lists the member's price alerts.",
  input: v.object({}),
  output: v.array(s.alert),
  idempotent: true,
  limit: "read",
});

export const alertCreate = defineCall({
  path: "alert/create",
  access: "member",
  summary: "Asks for a message when a price is reached.",
  input: v.object({ symbol: f.symbol, price: f.price, direction: f.direction, clientId: f.clientId }),
  output: v.array(s.alert),
  idempotent: true,
  limit: "write",
});

export const alertDelete = defineCall({
  path: "alert/delete",
  access: "member",
  summary: "Removes an alert.",
  input: v.object({ alertId: f.opaqueId }),
  output: v.array(s.alert),
  idempotent: true,
  limit: "write",
});
