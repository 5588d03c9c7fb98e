import { CHAIN_KINDS } from "@fairtick/domain";
import * as v from "valibot";
import { defineCall } from "../call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";

/** Any chain's address; its checksum has names of its own in the catalogue. */
const address = v.pipe(v.string(), v.maxLength(100), v.regex(/^[A-Za-z0-9]+$/));

export const withdrawMethods = defineCall({
  path: "withdraw/methods",
  access: "member",
  summary: "Chains to withdraw on, with bounds and fee.",
  input: v.object({}),
  output: v.array(
    v.object({
      chain: s.text,
      /** How its addresses are written: `0x…` or `T…`. */
      kind: v.picklist(CHAIN_KINDS),
      name: s.text,
      currency: s.text,
      minimum: s.money,
      maximum: s.money,
      fee: s.money,
      /** What one member may ask for in a UTC day, and what is left of it today; null: no such limit. */
      dayMax: v.nullable(s.money),
      dayLeft: v.nullable(s.money),
      /** Terms that are agreed and bind from a date on. */
      coming: v.nullable(
        v.object({ at: s.time, minimum: s.money, maximum: s.money, fee: s.money, dayMax: v.nullable(s.money) }),
      ),
      /** How long the paid ones of the last 30 days took; null while there are too few to say. */
      times: v.nullable(v.object({ halfMs: s.count, mostMs: s.count, count: s.count })),
      /** Nothing is paid before then, since a password was reset with a code; null: nothing waits. */
      restsUntil: v.nullable(s.time),
    }),
  ),
  built: true,
  idempotent: true,
  limit: "read",
});

export const withdrawQuote = defineCall({
  path: "withdraw/quote",
  access: "member",
  summary: "Fee and what arrives.",
  input: v.object({ chain: f.chain, amount: f.usd }),
  output: v.object({
    fee: s.money,
    receives: s.money,
    /** Nothing is paid before then, since a password was reset with a code; null: nothing waits. */
    restsUntil: v.nullable(s.time),
  }),
  built: true,
  idempotent: true,
  limit: "read",
});

export const withdrawCheckAddress = defineCall({
  path: "withdraw/checkAddress",
  access: "member",
  summary: "Whether a withdrawal may go to this address, before its amount is asked for.",
  input: v.object({ chain: f.chain, address }),
  output: s.nothing,
  built: true,
  idempotent: true,
  limit: "write",
});

export const withdrawCreate = defineCall({
  path: "withdraw/create",
  access: "member",
  summary: "Asks for a withdrawal; its amount is held at once.",
  input: v.object({
    chain: f.chain,
    address,
    amount: f.usd,
    tradePassword: f.tradePassword,
    clientId: f.clientId,
    /** The fee that the member saw; left out: he takes what is in force. */
    fee: v.optional(f.usd),
  }),
  output: s.withdrawal,
  built: true,
  idempotent: true,
  limit: "signIn",
});

export const withdrawCancel = defineCall({
  path: "withdraw/cancel",
  access: "member",
  summary: "Cancels a withdrawal that nobody has approved.",
  input: v.object({ withdrawNo: f.opaqueId }),
  output: s.withdrawal,
  built: true,
  idempotent: true,
  limit: "write",
});

export const withdrawDetail = defineCall({
  path: "withdraw/detail",
  access: "member",
  summary: "One withdrawal.",
  input: v.object({ withdrawNo: f.opaqueId }),
  output: s.withdrawal,
  built: true,
  idempotent: true,
  limit: "read",
});

export const withdrawList = defineCall({
  path: "withdraw/list",
  access: "member",
  summary: "Withdrawals, newest first.",
  input: v.object(s.pageInput),
  output: s.page(s.withdrawal),
  built: true,
  idempotent: true,
  limit: "read",
});
