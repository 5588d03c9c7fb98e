import { accept } from "@fairtick/domain";
import {
  depositApproveCard,
  depositApproveReversal,
  depositCredit,
  depositDesk,
  depositImportStatement,
  depositMatchStatement,
  depositProposeCard,
  depositProposeReversal,
  depositQueue,
  depositReject,
  depositRejectCard,
  depositRejectReversal,
  receivingCardApprove,
  receivingCardList,
  receivingCardPropose,
  receivingCardReject,
  statementLines,
} from "@fairtick/protocol/operator";
import { Afterwards, type OperatorRoute, operatorRoute, type OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import { releaseTake } from "../case-takes/index.ts";
import { formatDepositNo } from "../deposits/index.ts";
import type { OperatorContext } from "../operators/index.ts";
import { announceWithdrawals } from "../withdrawals/index.ts";
import { approveCardDeposit, proposeCardDeposit, rejectCardDeposit } from "./card-deposits.ts";
import { creditDeposit, matchStatement, rejectDeposit } from "./decide-deposit.ts";
import { keepStatement } from "./import-statement.ts";
import { listCases, readCase } from "./read-cases.ts";
import { listOpenLines } from "./statement-lines.ts";
import { decideReceivingCard, listReceivingCards, proposeReceivingCard } from "./receiving-cards-desk.ts";
import { approveReversal, proposeReversal, rejectReversal } from "./reverse-deposit.ts";
import { settleExact } from "./settle-exact.ts";
import type { Changed } from "./tell-deposit.ts";

/** Routes for finance: deposits of every method, bank statements, and the cards that members send money to. */
export function depositDeskRoutes(context: OperatorContext): OperatorRoute[] {
  const tell: Tell = (changed) => () => {
    const members = changed.map(({ memberId }) => memberId);
    if (members.length === 0) return;
    context.bus.publish("deposits", { members, depositIds: changed.map(({ depositId }) => depositId) });
    context.bus.publish("accounts", { members });
  };
  return [
    ...caseRoutes(context, tell),
    ...cardDepositRoutes(context, tell),
    ...reversalRoutes(context, tell),
    ...receivingCardRoutes(context),
  ];
}

/** Returns a function that tells the members of these deposits that something has changed. */
type Tell = (changed: readonly Changed[]) => () => void;

/** Ends the operator's take of a deposit once they have done their part. */
function finish(db: Queryable, session: OperatorSession, { depositId }: Changed): Promise<void> {
  return releaseTake(db, session, { queue: "deposits", caseNo: formatDepositNo(depositId) });
}

function caseRoutes(context: OperatorContext, tell: Tell): OperatorRoute[] {
  return [
    operatorRoute(depositQueue, ({ db, input, now }) => listCases(db, input, now)),
    operatorRoute(depositDesk, ({ db, input, now }) => readCase(db, context.config.chains, input.depositNo, now)),
    operatorRoute(statementLines, ({ db, input }) => listOpenLines(db, input)),
    operatorRoute(depositMatchStatement, ({ db, session, input, now }) =>
      matchStatement(context, db, session, input, now),
    ),
    operatorRoute(depositCredit, async ({ db, session, input, now, afterCommit }) => {
      const done = await creditDeposit(context, db, session, input, now);
      if (!done.ok) return done;
      await finish(db, session, done.value.credited);
      afterCommit(tell([done.value.credited]));
      return accept(done.value.shown);
    }),
    operatorRoute(depositReject, async ({ db, session, input, now, afterCommit }) => {
      const done = await rejectDeposit(context, db, session, input, now);
      if (!done.ok) return done;
      await finish(db, session, done.value.ended);
      afterCommit(tell([done.value.ended]));
      return accept(done.value.shown);
    }),
    operatorRoute(depositImportStatement, async ({ db, session, input, about }) => {
      const kept = await keepStatement(context, db, session, input.statement);
      if (!kept.ok) return kept;
      about(kept.value.report.message);
      return accept(new Afterwards(() => settleExact(context, kept.value, (credited) => tell([credited])())));
    }),
  ];
}

function cardDepositRoutes(context: OperatorContext, tell: Tell): OperatorRoute[] {
  return [
    operatorRoute(depositProposeCard, async ({ db, session, input, about, afterCommit }) => {
      const done = await proposeCardDeposit(context, db, session, input);
      if (!done.ok) return done;
      about(done.value.proposal.proposalId);
      if (done.value.made !== null) afterCommit(tell([done.value.made]));
      return accept(done.value.proposal);
    }),
    operatorRoute(depositApproveCard, async ({ db, session, input, afterCommit }) => {
      const done = await approveCardDeposit(context, db, session, input);
      if (!done.ok) return done;
      await finish(db, session, done.value.credited);
      afterCommit(tell([done.value.credited]));
      return accept(done.value.proposal);
    }),
    operatorRoute(depositRejectCard, async ({ db, session, input, afterCommit }) => {
      const done = await rejectCardDeposit(db, session, input);
      if (!done.ok) return done;
      await finish(db, session, done.value.ended);
      afterCommit(tell([done.value.ended]));
      return accept(done.value.proposal);
    }),
  ];
}

function reversalRoutes(context: OperatorContext, tell: Tell): OperatorRoute[] {
  return [
    operatorRoute(depositProposeReversal, async ({ db, session, input, about }) => {
      const made = await proposeReversal(context, db, session, input);
      if (made.ok) about(made.value.proposalId);
      return made;
    }),
    operatorRoute(depositApproveReversal, async ({ db, session, input, afterCommit }) => {
      const done = await approveReversal(context, db, session, input);
      if (!done.ok) return done;
      await finish(db, session, done.value.reversed);
      afterCommit(tell([done.value.reversed]));
      afterCommit(() => announceWithdrawals(context.bus, done.value.ended));
      return accept(done.value.proposal);
    }),
    operatorRoute(depositRejectReversal, ({ db, session, input }) => rejectReversal(db, session, input)),
  ];
}

function receivingCardRoutes(context: OperatorContext): OperatorRoute[] {
  return [
    operatorRoute(receivingCardList, ({ db }) => listReceivingCards(db)),
    operatorRoute(receivingCardPropose, async ({ db, session, input, about }) => {
      const made = await proposeReceivingCard(context, db, session, input);
      if (made.ok) about(made.value.proposalId);
      return made;
    }),
    operatorRoute(receivingCardApprove, ({ db, session, input }) =>
      decideReceivingCard(context, db, session, { ...input, decision: "approved" }),
    ),
    operatorRoute(receivingCardReject, ({ db, session, input }) =>
      decideReceivingCard(context, db, session, { ...input, decision: "rejected" }),
    ),
  ];
}
