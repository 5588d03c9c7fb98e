/**
 * Calls for the queue of withdrawals, the wallet that pays them, and the keys with which operators approve payments.
 */
import * as v from "valibot";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";
import { decideInput, decision, person, proposal, reason } from "./operator-fields.ts";

const stage = s.text;
/** An ECDSA signature on P-256: raw r and s, in base64url. */
const signature = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{86}$/));
/** SHA-256 of a public key in hexadecimal. */
const keyId = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
/** A P-256 public key, 65 bytes uncompressed, in base64url. */
const publicKey = v.pipe(v.string(), v.regex(/^B[A-Za-z0-9_-]{86}$/));

export const withdrawalRow = v.object({
  withdrawNo: s.text,
  memberId: s.text,
  account: s.text,
  chain: s.text,
  amount: s.money,
  stage,
  createdAt: s.time,
  stageAt: s.time,
  approvals: s.count,
  approvalsNeeded: s.count,
  /** Whether the member's withdrawals have to wait. */
  frozen: v.boolean(),
  /**
   * Why it waits: a freeze, an open incident, a debt, a returned deposit to decide on, a reset password, or a new
   * address.
   */
  waitsFor: v.nullable(v.picklist(["memberFrozen", "frozen", "owed", "returned", "resting", "newAddress"])),
  /** Why it isn't sent though it is approved. */
  payoutWaits: v.nullable(v.picklist(["walletFilling", "payoutsStopped", "payoutLimit", "payoutRefused"])),
  reason: v.nullable(s.text),
});
export type WithdrawalRow = v.InferOutput<typeof withdrawalRow>;

export const withdrawalCase = v.object({
  ...withdrawalRow.entries,
  fee: s.money,
  receives: s.money,
  address: s.text,
  /** Exactly what an approval signs. The console builds the signed bytes from these fields itself. */
  payment: v.object({
    id: s.text,
    /** Decimal digits, since the integers can be of any size. */
    chain: s.text,
    genesis: s.text,
    token: s.text,
    to: s.text,
    amount: s.text,
    expiry: s.time,
  }),
  steps: v.array(v.object({ stage, at: s.time })),
  /** Operators who rejected it. Approvals and releases are listed below. */
  decided: v.array(decision),
  agreed: v.array(
    v.object({
      by: person,
      at: s.time,
      reason: s.text,
      keyId: s.text,
      /** Whether the operator is still in finance and their key is trusted. */ counts: v.boolean(),
    }),
  ),
  attempts: v.array(v.object({ attempt: s.count, txHash: s.text, madeAt: s.time, nonce: s.text })),
  /** Since when no attempt can pay any more; null before. */
  deadAt: v.nullable(s.time),
  /** Set if less arrived than was to be paid: how much arrived, and what the member gets back if it ends this way. */
  short: v.nullable(v.object({ arrived: s.usdtText, rest: s.money })),
  /**
   * Operators who agreed to end it, either by releasing the held amount or by accepting what arrived as its payment.
   */
  released: v.array(v.object({ by: person, at: s.time, reason: s.text })),
  member: v.object({
    /** Total deposited, without reversed deposits. */
    deposited: s.money,
    reversed: s.money,
    /** Debt from reversed deposits. */
    owed: s.money,
    withdrawn: s.money,
    available: s.money,
    locked: s.money,
    openOrders: s.count,
  }),
  /** Earlier withdrawals paid to this address, newest first. */
  paidBefore: v.array(v.object({ withdrawNo: s.text, account: s.text, at: s.time, amount: s.money })),
});
export type WithdrawalCase = v.InferOutput<typeof withdrawalCase>;

export const withdrawalList = defineOperatorCall({
  path: "withdrawal/list",
  summary: "Lists withdrawals that wait for people, are being sent, need review, or have ended.",
  input: v.object({
    state: v.optional(v.picklist(["waiting", "sending", "review", "done", "all"])),
    ...s.pageInput,
  }),
  output: s.page(withdrawalRow),
  limit: "read",
});

export const withdrawalDetail = defineOperatorCall({
  path: "withdrawal/detail",
  summary: "Returns one withdrawal with everything known about it and its member's money.",
  input: v.object({ withdrawNo: f.opaqueId }),
  output: withdrawalCase,
  limit: "read",
  subject: "withdrawNo",
});

export const withdrawalApprove = defineOperatorCall({
  path: "withdrawal/approve",
  summary: "Approves exactly one payment, signed with the operator's own key. The amount is typed again.",
  input: v.object({ withdrawNo: f.opaqueId, amount: f.usd, reason, keyId, signature }),
  output: withdrawalCase,
  limit: "write",
  subject: "withdrawNo",
});

export const withdrawalReject = defineOperatorCall({
  path: "withdrawal/reject",
  summary: "Rejects a withdrawal. The member sees the reason, and the held amount is returned.",
  input: v.object({ withdrawNo: f.opaqueId, reason }),
  output: withdrawalCase,
  limit: "write",
  subject: "withdrawNo",
});

export const withdrawalRelease = defineOperatorCall({
  path: "withdrawal/release",
  summary: "Returns the amount held for a payment whose every attempt is dead. Takes two people above the limit.",
  input: v.object({ withdrawNo: f.opaqueId, amount: f.usd, reason }),
  output: withdrawalCase,
  limit: "write",
  subject: "withdrawNo",
});

export const withdrawalSettleShort = defineOperatorCall({
  path: "withdrawal/settleShort",
  summary:
    "Settles a payment of which less arrived: it counts as paid with that amount, and the rest is returned. Takes two people. The rest is typed again.",
  input: v.object({ withdrawNo: f.opaqueId, amount: f.usd, reason }),
  output: withdrawalCase,
  limit: "write",
  subject: "withdrawNo",
});

const walletState = v.object({
  chain: s.text,
  name: s.text,
  address: v.nullable(s.text),
  /** USDT in the wallet, and the chain's own coin for gas, as last seen; null if never seen. */
  tokens: v.nullable(s.usdtText),
  coins: v.nullable(s.text),
  seenAt: v.nullable(s.time),
  nextNonce: v.nullable(s.text),
  /** Amount held for withdrawals that haven't ended. */
  owed: s.money,
  /**
   * Credited deposits still at their addresses, on their way and swept, in USDT; and the gas wallet's coins, null if
   * never seen.
   */
  sweeps: v.object({ waiting: s.usdtText, underway: s.usdtText, done: s.usdtText, gas: v.nullable(s.text) }),
  /** Problems that a person must look at: `STOPPED`, `LOW_TOKENS`, `LOW_COINS`, `CHAIN_NOT_READ`, `SLOW`. */
  alarms: v.array(v.object({ kind: s.text, detail: s.text })),
});

export const withdrawalWalletState = defineOperatorCall({
  path: "withdrawal/walletState",
  summary: "Returns the paying wallets, the signer with its limits, and their problems.",
  input: v.object({}),
  output: v.object({
    wallets: v.array(walletState),
    signer: v.object({
      reachable: v.boolean(),
      address: v.nullable(s.text),
      keys: v.nullable(s.count),
      spentToday: v.nullable(s.usdtText),
      dayMax: v.nullable(s.usdtText),
      automaticToday: v.nullable(s.usdtText),
      automaticDayMax: v.nullable(s.usdtText),
      alarms: v.array(v.object({ at: s.time, text: s.text })),
    }),
    incidents: v.array(v.object({ kind: s.text, subject: s.text, openedAt: s.time })),
  }),
  limit: "read",
});

export const payoutKey = v.object({
  ...proposal,
  operatorId: s.text,
  publicKey: s.text,
  keyId: s.text,
  /** Set once the key is no longer trusted. */
  revoked: v.nullable(v.object({ by: s.text, at: s.time, reason: s.text })),
  /** Whether its owner is disabled or no longer in finance, so that their approvals don't count. */
  ownerLeft: v.boolean(),
});
export type PayoutKey = v.InferOutput<typeof payoutKey>;

export const withdrawalKeys = defineOperatorCall({
  path: "withdrawal/keys",
  summary: "Lists the keys by which operators approve payments, proposed and enrolled, newest first.",
  input: v.object({}),
  output: v.array(payoutKey),
  limit: "read",
});

export const withdrawalProposeKey = defineOperatorCall({
  path: "withdrawal/proposeKey",
  summary: "Proposes the public half of a key that the operator's browser created and never reveals.",
  input: v.object({ publicKey, reason }),
  output: payoutKey,
  limit: "write",
});

export const withdrawalApproveKey = defineOperatorCall({
  path: "withdrawal/approveKey",
  summary: "Enrolls a colleague's key, signed with the approver's own.",
  input: v.object({
    ...decideInput.entries,
    /** Left out only for the first key of a sandbox, when no earlier key exists to sign with. */
    keyId: v.optional(keyId),
    signature: v.optional(signature),
  }),
  output: payoutKey,
  limit: "write",
  subject: "proposalId",
});

export const withdrawalRejectKey = defineOperatorCall({
  path: "withdrawal/rejectKey",
  summary: "Rejects a proposed key, or cancels the operator's own proposal.",
  input: decideInput,
  output: payoutKey,
  limit: "write",
  subject: "proposalId",
});

export const withdrawalRevokeKey = defineOperatorCall({
  path: "withdrawal/revokeKey",
  summary: "Revokes an enrolled key, the operator's own or anyone's. Nothing that it signed counts from then on.",
  input: v.object({ keyId, reason }),
  output: payoutKey,
  limit: "write",
  subject: "keyId",
});

export const reportWithdrawalTimes = defineOperatorCall({
  path: "report/withdrawalTimes",
  summary: "Returns how long paid withdrawals took from request to confirmation, by UTC day.",
  input: v.object({
    days: v.optional(v.pipe(v.string(), v.regex(/^(?:[1-9]|[12][0-9]|3[01])$/), v.transform(Number))),
  }),
  output: v.array(
    v.object({
      day: s.text,
      paid: s.count,
      amount: s.money,
      /** The times within which half, and 95 of 100, were paid. */
      halfMs: s.count,
      mostMs: s.count,
      longestMs: s.count,
      canceled: s.count,
    }),
  ),
  limit: "read",
});
