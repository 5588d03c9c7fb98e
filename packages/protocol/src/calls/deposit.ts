import * as v from "valibot";
import { defineCall } from "../member-call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";

/** Hash of a transaction: hexadecimal, with or without `0x`. */
const txHash = v.pipe(v.string(), v.maxLength(66), v.regex(/^(?:0x)?[0-9a-fA-F]{64}$/));

export const depositMethods = defineCall({
  path: "deposit/methods",
  access: "member",
  summary: "Lists ways to deposit in the member's region, or in another region from which they send the money.",
  input: v.object({ region: v.optional(f.region) }),
  output: v.object({
    bank: v.array(v.object({ currency: s.text, minimum: s.money, maximum: s.money })),
    crypto: v.array(
      v.object({
        chain: s.text,
        name: s.text,
        currency: s.text,
        minimum: s.usdtText,
        confirmations: s.count,
        /** USD for one unit of the currency. */
        rate: s.rateText,
      }),
    ),
    card: v.boolean(),
  }),
  idempotent: true,
  limit: "read",
});

export const depositCards = defineCall({
  path: "deposit/cards",
  access: "member",
  summary: "Lists the receiving cards of a region and currency.",
  input: v.object({ region: f.region, currency: f.currency }),
  output: v.array(
    v.object({
      cardId: s.text,
      version: s.count,
      bank: s.text,
      bankCode: v.nullable(s.text),
      holder: s.text,
      number: s.text,
      note: s.text,
      rate: s.rateText,
    }),
  ),
  idempotent: true,
  limit: "read",
});

export const depositBank = defineCall({
  path: "deposit/bank",
  access: "member",
  summary: "Announces a bank transfer. The answer has the reference to write on it.",
  input: v.object({ cardId: f.opaqueId, amount: f.usd, clientId: f.clientId }),
  output: s.deposit,
  idempotent: true,
  limit: "write",
});

export const depositReceipt = defineCall({
  path: "deposit/receipt",
  access: "member",
  summary: "Attaches the receipt to an announced bank transfer.",
  input: v.object({ depositNo: f.opaqueId, fileId: f.opaqueId }),
  output: s.deposit,
  idempotent: true,
  limit: "write",
});

export const depositAddress = defineCall({
  path: "deposit/address",
  access: "member",
  summary: "Returns the member's own deposit address on a chain.",
  input: v.object({ chain: f.chain }),
  output: v.object({
    chain: s.text,
    currency: s.text,
    address: s.text,
    /**
     * Signature by an acceptance key over the address, its chain and its member (see docs/verification.md); null if
     * there is none.
     */
    signature: v.nullable(s.text),
    key: v.nullable(s.text),
    confirmations: s.count,
    minimum: s.usdtText,
    uri: s.text,
  }),
  idempotent: true,
  limit: "read",
});

export const depositCrypto = defineCall({
  path: "deposit/crypto",
  access: "member",
  summary: "Reports a transfer that is late.",
  input: v.object({
    chain: f.chain,
    quantity: f.usdt,
    fileId: f.opaqueId,
    txHash: v.optional(txHash),
    clientId: f.clientId,
  }),
  output: s.deposit,
  idempotent: true,
  limit: "write",
});

export const depositDetail = defineCall({
  path: "deposit/detail",
  access: "member",
  summary: "Returns one deposit.",
  input: v.object({ depositNo: f.opaqueId }),
  output: s.deposit,
  idempotent: true,
  limit: "read",
});

export const depositList = defineCall({
  path: "deposit/list",
  access: "member",
  summary: "Lists deposits, newest first.",
  input: v.object(s.pageInput),
  output: s.page(s.deposit),
  idempotent: true,
  limit: "read",
});
