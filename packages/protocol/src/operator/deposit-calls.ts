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
  /** Such as `EUR 18.43` or `20.000000 USDT`; null for cards. */
  sent: v.nullable(s.text),
  reference: v.nullable(s.text),
  createdAt: s.time,
  /** Whether finance must check it closely, because its picture was used before. */
  flagged: v.boolean(),
});
export type DepositEntry = v.InferOutput<typeof depositEntry>;

/** A statement line that could be a member's bank transfer. */
export const statementLine = v.object({
  entryId: s.text,
  account: s.text,
  bookedOn: s.text,
  /** Such as `EUR 18.43`. */
  fiat: s.text,
  debtor: s.text,
  remittance: s.text,
  reference: v.nullable(s.text),
});
export type StatementLine = v.InferOutput<typeof statementLine>;

const suggestion = v.object({
  ...statementLine.entries,
  /** Which of its details match. */
  sameReference: v.boolean(),
  sameAmount: v.boolean(),
  /** The amount that would be credited for it. */
  worth: s.money,
});

export const cardProposal = v.object({
  ...proposal,
  depositNo: s.text,
  memberId: s.text,
  amount: s.money,
  /** The acquirer's reference of the payment; null for proposals made before it was required. */
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
  /** Operators who matched, credited or rejected it; empty if that happened automatically. */
  decided: v.array(decision),
  matched: v.nullable(
    v.object({
      ...statementLine.entries,
      worth: s.money,
      /** The operator who imported its statement. */
      importedBy: person,
      /**
       * Whether crediting it would take that operator above the amount one person may credit alone, so that someone
       * else must.
       */
      aboveOnePerson: v.boolean(),
      /** The most that one person may credit alone in any 24 hours. */
      onePersonMax: s.money,
    }),
  ),
  suggestions: v.array(suggestion),
  chain: v.nullable(v.object({ chain: s.text, txHash: v.nullable(s.text), claimed: v.boolean() })),
  proposal: v.nullable(cardProposal),
  /** For a card payment: the member's other card payments, newest first. */
  otherCards: v.array(
    v.object({
      depositNo: s.text,
      amount: s.money,
      stage: s.text,
      createdAt: s.time,
      reference: v.nullable(s.text),
    }),
  ),
  /** For a waiting claim: credited transfers of exactly this quantity that it could mean, newest first. */
  couldBe: v.array(v.object({ depositNo: s.text, txHash: s.text, createdAt: s.time })),
  /** Statement lines by which the bank takes the deposit back. */
  returns: v.array(statementLine),
  /** The newest proposal to reverse the deposit. */
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

/** The server's own limit for a statement, plus room for JSON escapes. */
const STATEMENT_BYTES_MAX = 5_000_000;

export const depositImportStatement = defineOperatorCall({
  path: "deposit/importStatement",
  summary: "Imports a bank statement, camt.053 or camt.054. Exact matches are credited.",
  input: v.object({ statement: v.pipe(v.string(), v.maxLength(2_000_000)) }),
  output: v.object({
    message: s.text,
    lines: s.count,
    /** Lines that were already in an earlier file. */
    known: s.count,
    unread: s.count,
    /** The first lines that couldn't be read: where the entry begins in the file, and what is wrong with it. */
    unreadLines: v.array(
      v.object({
        line: s.count,
        cause: v.picklist(["account", "amount", "currency", "date", "longReference", "reference"]),
      }),
    ),
    credited: v.array(v.object({ depositNo: s.text, amount: s.money, fiat: s.text })),
    /** Exact matches above the amount that one person may credit alone. Another member of finance must credit them. */
    waiting: v.array(v.object({ depositNo: s.text, amount: s.money, fiat: s.text })),
    /** Lines with the reference of a stored line but another amount; they count as neither known nor new. */
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
    /** The acquirer's reference of the payment. Each reference is credited once. */
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
  /** Null for a new card. */
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
