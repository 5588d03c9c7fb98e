import * as v from "valibot";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";
import { decideInput, listInput, proposal, reason, signedUsd } from "./operator-fields.ts";

export const correction = v.object({
  ...proposal,
  memberId: s.text,
  account: s.text,
  wallet: f.wallet,
  /** Change of the member's available balance, with its sign. */
  amount: s.money,
  availableNow: s.money,
});
export type Correction = v.InferOutput<typeof correction>;

export const correctionList = defineOperatorCall({
  path: "correction/list",
  summary: "Lists corrections of members' money, waiting or decided.",
  input: v.object(listInput),
  output: s.page(correction),
  limit: "read",
});

export const correctionPropose = defineOperatorCall({
  path: "correction/propose",
  summary: "Proposes a correction. The member will see the reason.",
  input: v.object({ memberId: f.opaqueId, wallet: f.wallet, amount: signedUsd, reason }),
  output: correction,
  limit: "write",
  subject: "memberId",
});

export const correctionApprove = defineOperatorCall({
  path: "correction/approve",
  summary: "Approves and books a correction. The amount is typed again, with its sign.",
  input: v.object({ ...decideInput.entries, amount: signedUsd }),
  output: correction,
  limit: "write",
  subject: "proposalId",
});

export const correctionReject = defineOperatorCall({
  path: "correction/reject",
  summary: "Rejects a correction, or cancels the operator's own.",
  input: decideInput,
  output: correction,
  limit: "write",
  subject: "proposalId",
});

export const capital = v.object({ ...proposal, wallet: f.wallet, amount: s.money, poolNow: s.exactMoney });
export type Capital = v.InferOutput<typeof capital>;

export const capitalList = defineOperatorCall({
  path: "capital/list",
  summary: "Lists proposals of house capital.",
  input: v.object(listInput),
  output: s.page(capital),
  limit: "read",
});

export const capitalPropose = defineOperatorCall({
  path: "capital/propose",
  summary: "Proposes capital for a wallet's pool. It takes one admin and one of finance.",
  input: v.object({ wallet: f.wallet, amount: f.usd, reason }),
  output: capital,
  limit: "write",
  rules: ({ amount }) => (amount === 0n ? { amount: "FIELD_INVALID" } : undefined),
});

export const capitalApprove = defineOperatorCall({
  path: "capital/approve",
  summary: "Approves and books capital. The amount is typed again.",
  input: v.object({ ...decideInput.entries, amount: f.usd }),
  output: capital,
  limit: "write",
  subject: "proposalId",
});

export const capitalReject = defineOperatorCall({
  path: "capital/reject",
  summary: "Rejects capital, or cancels the operator's own proposal.",
  input: decideInput,
  output: capital,
  limit: "write",
  subject: "proposalId",
});

const walletResult = v.object({
  wallet: f.wallet,
  /**
   * The house's accounts to the last micro-USD: rounding a member's deposit up to the cent costs the house parts of a
   * cent.
   */
  pool: s.exactMoney,
  fees: s.exactMoney,
  capital: s.exactMoney,
  /** Total of members' balances, which the house owes them. */
  owed: s.money,
  /** Members' debts from deposits that banks took back. */
  receivable: s.exactMoney,
  /** The payout if every running order won, and the most that is allowed. */
  exposure: s.money,
  exposureMax: s.money,
  instruments: v.array(v.object({ symbol: s.text, exposure: s.money, exposureMax: s.money })),
});
export type WalletReport = v.InferOutput<typeof walletResult>;

export const reportExposure = defineOperatorCall({
  path: "report/exposure",
  summary: "Returns pools, what is owed, and the most that running orders can cost.",
  input: v.object({}),
  output: v.array(walletResult),
  limit: "read",
});

export const reportResult = defineOperatorCall({
  path: "report/result",
  summary: "Returns the house's result by UTC day and wallet: what members won, lost and paid in fees.",
  input: v.object({
    days: v.optional(v.pipe(v.string(), v.regex(/^(?:[1-9]|[12][0-9]|3[01])$/), v.transform(Number))),
  }),
  output: v.array(
    v.object({
      day: s.text,
      wallet: f.wallet,
      orders: s.count,
      staked: s.money,
      fees: s.money,
      /** Stakes lost less profits won, without fees. */
      trading: s.money,
    }),
  ),
  limit: "read",
});
