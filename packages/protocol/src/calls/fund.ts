import * as v from "valibot";
import { defineCall } from "../member-call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";

const filters = {
  wallet: f.wallet,
  kind: v.picklist(["all", "deposit", "withdraw"]),
  from: v.optional(f.instant),
  to: v.optional(f.instant),
};

export const fundRecord = v.object({
  recordNo: s.text,
  /** Number of the order, deposit or withdrawal; null if there is none. */
  orderNo: v.nullable(s.text),
  time: s.time,
  currency: s.text,
  type: v.picklist(["system", "deposit", "withdraw", "instantTrade"]),
  /** Change of the available balance, with its sign. */
  amount: s.money,
  balanceAfter: v.nullable(s.money),
  /** A stable word that the app translates: `stake`, `payout`, `release`, `practiceIssue` … */
  remark: s.text,
  /** For a correction: the reason, as written by the operator who proposed it. */
  note: v.optional(s.text),
  /** For a withdrawal: the part of the amount that the house keeps as its fee. */
  fee: v.optional(s.money),
  wallet: f.wallet,
  state: v.optional(s.text),
});
export type FundRecord = v.InferOutput<typeof fundRecord>;

export const fundRecords = defineCall({
  path: "fund/records",
  access: "member",
  summary: "Lists changes of a wallet's available balance, newest first, or its deposits or withdrawals.",
  input: v.object({ ...filters, ...s.pageInput }),
  output: s.page(fundRecord),
  idempotent: true,
  limit: "read",
});

export const fundExport = defineCall({
  path: "fund/export",
  access: "member",
  summary: "Exports the fund records of a period as CSV.",
  input: v.object(filters),
  output: s.bytes,
  file: "download",
  idempotent: true,
  limit: "heavy",
});
