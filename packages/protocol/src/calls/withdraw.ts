import { CHAIN_KINDS } from "@fairtick/domain";
import * as v from "valibot";
import { defineCall } from "../member-call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";

/** Any chain's address; its checksum has names of its own in the catalogue. */
const address = v.pipe(v.string(), v.maxLength(100), v.regex(/^[A-Za-z0-9]+$/));

export const withdrawMethods = defineCall({
  path: "withdraw/methods",
  access: "member",
  summary: "Lists the chains for withdrawals, with limits and fee.",
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
      /** Up to which amount, inclusive, a request is approved without a person, as a rule: the signer has a bound by the day as well. */
      automaticMax: s.money,
      /** Terms that are agreed and bind from a date on. */
      coming: v.nullable(
        v.object({ at: s.time, minimum: s.money, maximum: s.money, fee: s.money, dayMax: v.nullable(s.money) }),
      ),
      /** How long the paid ones of the last 30 days took; null while there are too few to say. */
      times: v.nullable(v.object({ halfMs: s.count, mostMs: s.count, count: s.count })),
      /** Since when the member has frozen withdrawals: nothing is paid until the freeze is lifted. */
      frozenSince: v.nullable(s.time),
      /** Nothing is paid before then, since a password was reset with a code or a freeze was lifted; null: nothing waits. */
      restsUntil: v.nullable(s.time),
      /** How long a new address waits before anything is paid to it, where the member has no second factor. */
      addressHours: s.count,
    }),
  ),
  idempotent: true,
  limit: "read",
});

export const withdrawQuote = defineCall({
  path: "withdraw/quote",
  access: "member",
  summary: "Returns the fee and what arrives.",
  input: v.object({
    chain: f.chain,
    amount: f.usd,
    /** With it `paysFrom` covers the wait of a new address too. */
    address: v.optional(address),
  }),
  output: v.object({
    fee: s.money,
    receives: s.money,
    /** Since when the member has frozen withdrawals: nothing is paid until the freeze is lifted. */
    frozenSince: v.nullable(s.time),
    /** Nothing is paid before then, since a password was reset with a code or a freeze was lifted; null: nothing waits. */
    restsUntil: v.nullable(s.time),
    /** Nothing is paid before then, whatever makes it wait; null: nothing does but, possibly, `frozenSince`. */
    paysFrom: v.nullable(s.time),
  }),
  idempotent: true,
  limit: "read",
});

export const withdrawCheckAddress = defineCall({
  path: "withdraw/checkAddress",
  access: "member",
  summary: "Says whether a withdrawal may go to this address, and from when, before the amount is entered.",
  input: v.object({ chain: f.chain, address }),
  output: v.object({
    /** In the member's address book already. */
    known: v.boolean(),
    /** Nothing is paid to it before then, if it is asked for now; null: it doesn't wait. */
    usableAt: v.nullable(s.time),
    /** It is new, and a withdrawal to it asks for the member's second factor. */
    asksFactor: v.boolean(),
  }),
  idempotent: true,
  limit: "write",
});

export const withdrawalAddress = v.object({
  addressId: s.text,
  chain: s.text,
  address: s.text,
  /** What the member calls it. */
  label: v.nullable(s.text),
  addedAt: s.time,
  /** Nothing is paid to it before then; null: it doesn't wait any more. */
  usableAt: v.nullable(s.time),
});
export type WithdrawalAddress = v.InferOutput<typeof withdrawalAddress>;

export const withdrawAddresses = defineCall({
  path: "withdraw/addresses",
  access: "member",
  summary: "Lists the member's address book, newest first.",
  input: v.object({}),
  output: v.array(withdrawalAddress),
  idempotent: true,
  limit: "read",
});

export const withdrawAddAddress = defineCall({
  path: "withdraw/addAddress",
  access: "member",
  summary: "Adds a withdrawal address. A known one keeps its date and gets the new label.",
  input: v.object({
    chain: f.chain,
    address,
    label: v.optional(f.line(40)),
    /** Where the member has one and the address is new. */
    secondFactor: v.optional(f.secondFactor),
  }),
  output: withdrawalAddress,
  idempotent: true,
  limit: "signIn",
});

export const withdrawRemoveAddress = defineCall({
  path: "withdraw/removeAddress",
  access: "member",
  summary: "Removes an address. If it is added again, it waits again.",
  input: v.object({ addressId: f.opaqueId }),
  output: s.nothing,
  idempotent: true,
  limit: "write",
});

export const withdrawCreate = defineCall({
  path: "withdraw/create",
  access: "member",
  summary: "Requests a withdrawal. Its amount is held at once.",
  input: v.object({
    chain: f.chain,
    address,
    amount: f.usd,
    tradePassword: f.tradePassword,
    clientId: f.clientId,
    /** The fee that the member saw; left out: they take what is in force. */
    fee: v.optional(f.usd),
    /** Where the member has one and the address is new. */
    secondFactor: v.optional(f.secondFactor),
  }),
  output: s.withdrawal,
  idempotent: true,
  limit: "signIn",
});

export const withdrawCancel = defineCall({
  path: "withdraw/cancel",
  access: "member",
  summary: "Cancels a withdrawal that no one has approved.",
  input: v.object({ withdrawNo: f.opaqueId }),
  output: s.withdrawal,
  idempotent: true,
  limit: "write",
});

export const withdrawDetail = defineCall({
  path: "withdraw/detail",
  access: "member",
  summary: "Returns one withdrawal.",
  input: v.object({ withdrawNo: f.opaqueId }),
  output: s.withdrawal,
  idempotent: true,
  limit: "read",
});

export const withdrawList = defineCall({
  path: "withdraw/list",
  access: "member",
  summary: "Lists withdrawals, newest first.",
  input: v.object(s.pageInput),
  output: s.page(s.withdrawal),
  idempotent: true,
  limit: "read",
});
