import { CHAIN_KINDS } from "@fairtick/domain";
import * as v from "valibot";
import { defineCall } from "../member-call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";

/** An address of any chain. Wrong checksums have error names of their own. */
const address = v.pipe(v.string(), v.maxLength(100), v.regex(/^[A-Za-z0-9]+$/));

export const withdrawMethods = defineCall({
  path: "withdraw/methods",
  access: "member",
  summary: "Lists the chains for withdrawals, with limits and fee.",
  input: v.object({}),
  output: v.array(
    v.object({
      chain: s.text,
      /** How the chain's addresses are written: `0x…` or `T…`. */
      kind: v.picklist(CHAIN_KINDS),
      name: s.text,
      currency: s.text,
      minimum: s.money,
      maximum: s.money,
      fee: s.money,
      /**
       * The most that one member may request in a UTC day, and what is left of it today; null if there is no such
       * limit.
       */
      dayMax: v.nullable(s.money),
      dayLeft: v.nullable(s.money),
      /** The largest amount that is usually approved without a person. The signer also has a daily limit. */
      automaticMax: s.money,
      /** Terms that have been decided and apply from a later date. */
      coming: v.nullable(
        v.object({ at: s.time, minimum: s.money, maximum: s.money, fee: s.money, dayMax: v.nullable(s.money) }),
      ),
      /** How long the withdrawals paid in the last 30 days took; null if there were too few. */
      times: v.nullable(v.object({ halfMs: s.count, mostMs: s.count, count: s.count })),
      /** When the member froze withdrawals. Nothing is paid until they lift the freeze. */
      frozenSince: v.nullable(s.time),
      /**
       * When the rest ends that follows a password reset with a code or a lifted freeze. Nothing is paid before; null
       * if there is none.
       */
      restsUntil: v.nullable(s.time),
      /** Hours that a new address waits before anything is paid to it, for members without a second factor. */
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
    /** If given, `paysFrom` includes the wait of a new address. */
    address: v.optional(address),
  }),
  output: v.object({
    fee: s.money,
    receives: s.money,
    /** When the member froze withdrawals. Nothing is paid until they lift the freeze. */
    frozenSince: v.nullable(s.time),
    /**
     * When the rest ends that follows a password reset with a code or a lifted freeze. Nothing is paid before; null if
     * there is none.
     */
    restsUntil: v.nullable(s.time),
    /** When every known wait is over. Null if there is none, apart from a possible freeze (`frozenSince`). */
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
    /** Whether the address is already in the member's address book. */
    known: v.boolean(),
    /** When a withdrawal to it could be paid if requested now; null if there is no wait. */
    usableAt: v.nullable(s.time),
    /** Whether the address is new and a withdrawal to it requires the member's second factor. */
    asksFactor: v.boolean(),
  }),
  idempotent: true,
  limit: "write",
});

export const withdrawalAddress = v.object({
  addressId: s.text,
  chain: s.text,
  address: s.text,
  /** The member's own name for it. */
  label: v.nullable(s.text),
  addedAt: s.time,
  /** Nothing is paid to it before then; null if it no longer waits. */
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
    /** Required if the member has one and the address is new. */
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
    /** The fee that the member saw. If left out, they accept the fee in force. */
    fee: v.optional(f.usd),
    /** Required if the member has one and the address is new. */
    secondFactor: v.optional(f.secondFactor),
  }),
  output: s.withdrawal,
  idempotent: true,
  limit: "signIn",
});

export const withdrawCancel = defineCall({
  path: "withdraw/cancel",
  access: "member",
  summary: "Cancels a withdrawal that isn't being signed yet.",
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
