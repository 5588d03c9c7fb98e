import * as v from "valibot";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";
import { decideInput, decision, person, proposal, reason } from "./operator-fields.ts";
import { reversalProposal } from "./reversal-calls.ts";

const method = v.picklist(["bank", "card", "crypto"]);

export const depositEntry = v.object({
  depositNo: s.text,
  method,
  state: v.picklist(["processing", "deposited", "failed"]),
  stage: s.text,
  memberId: s.text,
  account: s.text,
  amount: s.money,
  /** `EUR 18.43` or `20.000000 USDT`; null of cards. */
  sent: v.nullable(s.text),
  reference: v.nullable(s.text),
  createdAt: s.time,
  /** Something that finance has to look at twice: a picture used before. */
  flagged: v.boolean(),
});
export type DepositEntry = v.InferOutput<typeof depositEntry>;

/** A line of a statement that could be a remittance. */
export const statementLine = v.object({
  entryId: s.text,
  account: s.text,
  bookedOn: s.text,
  /** `EUR 18.43` */
  fiat: s.text,
  debtor: s.text,
  remittance: s.text,
  reference: v.nullable(s.text),
});
export type StatementLine = v.InferOutput<typeof statementLine>;

const suggestion = v.object({
  ...statementLine.entries,
  /** What speaks for it. */
  sameReference: v.boolean(),
  sameAmount: v.boolean(),
  /** What it would bring. */
  worth: s.money,
});

export const cardProposal = v.object({
  ...proposal,
  depositNo: s.text,
  memberId: s.text,
  amount: s.money,
  /** The acquirer's, of the payment; null in those from before it was asked for. */
  reference: v.nullable(s.text),
});
export type CardProposal = v.InferOutput<typeof cardProposal>;

export const depositCase = v.object({
  ...depositEntry.entries,
  reason: v.nullable(s.text),
  card: v.nullable(
    v.object({ cardId: s.text, version: s.count, bank: s.text, holder: s.text, number: s.text, rate: s.rateText }),
  ),
  receipts: v.array(v.object({ fileId: s.text, putAt: s.time, alsoAt: v.array(s.text) })),
  steps: v.array(v.object({ stage: s.text, at: s.time })),
  /** Who matched, credited or rejected it; empty where that happened automatically. */
  decided: v.array(decision),
  matched: v.nullable(
    v.object({
      ...statementLine.entries,
      worth: s.money,
      /** Who took its statement in. */
      importedBy: person,
      /** With it they would come above what one person credits alone: somebody else does. */
      aboveOnePerson: v.boolean(),
      /** What one person credits alone in any 24 hours. */
      onePersonMax: s.money,
    }),
  ),
  suggestions: v.array(suggestion),
  chain: v.nullable(v.object({ chain: s.text, txHash: v.nullable(s.text), claimed: v.boolean() })),
  proposal: v.nullable(cardProposal),
  /** Of a card payment: others of the same member, the newest first. */
  otherCards: v.array(
    v.object({
      depositNo: s.text,
      amount: s.money,
      stage: s.text,
      createdAt: s.time,
      reference: v.nullable(s.text),
    }),
  ),
  /** Of a claim that waits: credited transfers of the very quantity, which it could mean; the newest first. */
  couldBe: v.array(v.object({ depositNo: s.text, txHash: s.text, createdAt: s.time })),
  /** Lines by which the bank takes it back. */
  returns: v.array(statementLine),
  /** The newest proposal to reverse it. */
  reversal: v.nullable(reversalProposal),
});
export type DepositCase = v.InferOutput<typeof depositCase>;

export const depositQueue = defineOperatorCall({
  path: "deposit/list",
  summary: "Lists deposits of every method: those that wait for people, those in progress, or all.",
  input: v.object({
    state: v.optional(v.picklist(["waiting", "underway", "done", "all"])),
    method: v.optional(method),
    ...s.pageInput,
  }),
  output: s.page(depositEntry),
  limit: "read",
});

export const depositDesk = defineOperatorCall({
  path: "deposit/detail",
  summary: "Returns one deposit with its receipts, its steps, and statement lines that may match.",
  input: v.object({ depositNo: f.opaqueId }),
  output: depositCase,
  limit: "read",
  subject: "depositNo",
});

export const depositMatchStatement = defineOperatorCall({
  path: "deposit/matchStatement",
  summary: "Matches a statement line with a bank transfer. Nothing is credited yet.",
  input: v.object({ depositNo: f.opaqueId, entryId: f.opaqueId, reason }),
  output: depositCase,
  limit: "write",
  subject: "depositNo",
});

export const depositCredit = defineOperatorCall({
  path: "deposit/credit",
  summary: "Credits the amount of the matched line, or a deposit below the minimum. The amount is typed again.",
  input: v.object({ depositNo: f.opaqueId, amount: f.usd, reason }),
  output: depositCase,
  limit: "write",
  subject: "depositNo",
});

export const depositReject = defineOperatorCall({
  path: "deposit/reject",
  summary: "Rejects a deposit. Its member sees the reason.",
  input: v.object({ depositNo: f.opaqueId, reason }),
  output: depositCase,
  limit: "write",
  subject: "depositNo",
});

/** As large as the server's own limit of a statement, with room for JSON's escapes. */
const STATEMENT_BYTES_MAX = 5_000_000;

export const depositImportStatement = defineOperatorCall({
  path: "deposit/importStatement",
  summary: "Imports a bank statement, camt.053 or camt.054. Exact matches are credited.",
  input: v.object({ statement: v.pipe(v.string(), v.maxLength(2_000_000)) }),
  output: v.object({
    message: s.text,
    lines: s.count,
    /** Lines that stood in an earlier file. */
    known: s.count,
    unread: s.count,
    /** The first of them: the line of the file that the entry begins on, and what is wrong with it. */
    unreadLines: v.array(
      v.object({
        line: s.count,
        cause: v.picklist(["account", "amount", "currency", "date", "longReference", "reference"]),
      }),
    ),
    credited: v.array(v.object({ depositNo: s.text, amount: s.money, fiat: s.text })),
    /** Exact too, and above what one person credits alone: another one of finance credits them. */
    waiting: v.array(v.object({ depositNo: s.text, amount: s.money, fiat: s.text })),
    /** Named as a line that is there, with another amount: neither known nor new. */
    differing: v.array(v.object({ reference: s.text, fiat: s.text, before: s.text })),
    open: s.count,
    /** Credited deposits that the bank takes back. */
    returned: v.array(v.object({ depositNo: s.text, fiat: s.text })),
  }),
  limit: "write",
  secrets: ["statement"],
  bodyBytesMax: STATEMENT_BYTES_MAX,
});

export const statementLines = defineOperatorCall({
  path: "statement/list",
  summary: "Lists statement lines that match no deposit, newest first.",
  input: v.object(s.pageInput),
  output: s.page(statementLine),
  limit: "read",
});

export const depositProposeCard = defineOperatorCall({
  path: "deposit/proposeCard",
  summary: "Proposes a deposit for a card payment that a member reported in the chat.",
  input: v.object({
    memberId: f.opaqueId,
    amount: f.usd,
    /** The acquirer's reference of the payment: it is credited once. */
    reference: v.pipe(v.string(), v.trim(), v.maxLength(64), v.regex(/^[A-Za-z0-9._:-]{6,64}$/)),
    reason,
    clientId: f.clientId,
  }),
  output: cardProposal,
  limit: "write",
  subject: "memberId",
});

export const depositApproveCard = defineOperatorCall({
  path: "deposit/approveCard",
  summary: "Approves a card deposit that another person proposed, and books it. The amount is typed again.",
  input: v.object({ ...decideInput.entries, amount: f.usd }),
  output: cardProposal,
  limit: "write",
  subject: "proposalId",
});

export const depositRejectCard = defineOperatorCall({
  path: "deposit/rejectCard",
  summary: "Rejects a card deposit, or cancels the operator's own proposal. Its member sees the reason.",
  input: decideInput,
  output: cardProposal,
  limit: "write",
  subject: "proposalId",
});

const cardFields = {
  regions: v.pipe(v.array(f.region), v.maxLength(250)),
  currency: f.currency,
  bank: f.line(100),
  bankCode: v.nullable(v.pipe(v.string(), v.regex(/^[A-Z0-9]{4,11}$/))),
  holder: f.line(70),
  number: v.pipe(v.string(), v.maxLength(50), v.regex(/^[A-Za-z0-9 -]{4,50}$/)),
  note: f.lines(500),
  rate: v.pipe(v.string(), v.maxLength(20), v.regex(/^(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,6})?$/)),
  active: v.boolean(),
};
const cardShown = {
  regions: v.array(s.text),
  currency: s.text,
  bank: s.text,
  bankCode: v.nullable(s.text),
  holder: s.text,
  number: s.text,
  note: s.text,
  rate: s.rateText,
  active: v.boolean(),
};

export const receivingCard = v.object({ cardId: s.text, version: s.count, ...cardShown, madeAt: s.time });
export type ReceivingCard = v.InferOutput<typeof receivingCard>;
export const receivingCardProposal = v.object({
  ...proposal,
  /** Null: a new card. */
  cardId: v.nullable(s.text),
  card: v.object(cardShown),
});
export type ReceivingCardProposal = v.InferOutput<typeof receivingCardProposal>;

export const receivingCardList = defineOperatorCall({
  path: "receivingCard/list",
  summary: "Lists receiving cards in force, and proposals of new versions.",
  input: v.object({}),
  output: v.object({ cards: v.array(receivingCard), proposals: v.array(receivingCardProposal) }),
  limit: "read",
});

export const receivingCardPropose = defineOperatorCall({
  path: "receivingCard/propose",
  summary: "Proposes a card, or the next version of one. Deposits in progress keep theirs.",
  input: v.object({ cardId: v.optional(f.opaqueId), ...cardFields, reason }),
  output: receivingCardProposal,
  limit: "write",
});

export const receivingCardApprove = defineOperatorCall({
  path: "receivingCard/approve",
  summary: "Approves a card, which is offered at once.",
  input: decideInput,
  output: receivingCardProposal,
  limit: "write",
  subject: "proposalId",
});

export const receivingCardReject = defineOperatorCall({
  path: "receivingCard/reject",
  summary: "Rejects a card, or cancels the operator's own proposal.",
  input: decideInput,
  output: receivingCardProposal,
  limit: "write",
  subject: "proposalId",
});
