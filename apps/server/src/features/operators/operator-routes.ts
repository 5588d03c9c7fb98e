import { accept, type Instant, refuse } from "@fairtick/domain";
import {
  auditExport,
  auditList,
  operatorApprove,
  operatorDisable,
  operatorEndSessions,
  operatorInvite,
  operatorList,
  operatorReject,
  operatorSetRoles,
  sessionAccount,
  sessionAskPasskey,
  sessionDeclineInvitation,
  sessionEndOther,
  sessionEnrol,
  sessionInvitation,
  sessionLogin,
  sessionLogout,
  sessionMe,
  sessionRegisterPasskey,
  sessionRegisterTotp,
  sessionRemovePasskey,
  sessionRemoveTotp,
  sessionStartPasskey,
  sessionStartTotp,
  sessionVerifySecondFactor,
} from "@fairtick/protocol/operator";
import {
  judgedRoute,
  openJudgedRoute,
  openOperatorRoute,
  type OperatorRoute,
  operatorRoute,
  type OperatorSession,
} from "../../platform/console/index.ts";
import { csvFile } from "../../platform/csv.ts";
import { decideOperators, endSessionsOf, listOperators, proposeChange, proposeInvite } from "./change-operators.ts";
import { eachAuditEntry, firstBrokenAudit, listAudit } from "./list-audit.ts";
import { declineInvitation, enrolOperator, judgeEnrolment, openInvitation } from "./invitations.ts";
import { judgePasswordOf, judgeSecondFactor, logInOperator, verifySecondFactor } from "./log-in-operator.ts";
import type { OperatorContext } from "./operator-context.ts";
import { endOperatorSessions, presentSelf } from "./operator-rows.ts";
import { endOtherSession, judgeTotp, readOwnAccount, registerTotp, removeTotp, startTotp } from "./own-account.ts";
import { checkOwnPassword } from "./own-password.ts";
import { askPasskey, judgeNewPasskey, registerPasskey, removePasskey, startPasskey } from "./passkeys.ts";

/** Routes for operators themselves: sessions, accounts, the audit trail. */
export function operatorRoutes(context: OperatorContext): OperatorRoute[] {
  return [
    openJudgedRoute(
      sessionLogin,
      (asked) => judgePasswordOf(context, asked.input, asked),
      (asked, operator) => logInOperator(context, operator, asked),
    ),
    openOperatorRoute(sessionInvitation, (asked) => openInvitation(context, asked.input.token, asked)),
    openOperatorRoute(sessionDeclineInvitation, (asked) => declineInvitation(asked.input.token, asked)),
    openJudgedRoute(
      sessionEnrol,
      (asked) => judgeEnrolment(context, asked.input, asked),
      (asked, judged) => enrolOperator(asked.input, judged, asked),
    ),
    operatorRoute(sessionAskPasskey, (asked) => askPasskey(context, asked.session, asked)),
    judgedRoute(
      sessionVerifySecondFactor,
      (asked) => judgeSecondFactor(context, asked.session, asked.input, asked),
      (asked, factor) => verifySecondFactor(context, asked.session, factor, asked),
    ),
    operatorRoute(sessionMe, ({ session }) => presentSelf(session, context.config.deployment)),
    operatorRoute(sessionLogout, async ({ session, db, now, setToken }) => {
      await endOperatorSessions(db, { operatorId: session.operatorId, only: session.sessionId }, now);
      setToken(null);
      return null;
    }),
    ...accountRoutes(context),
    operatorRoute(operatorList, ({ db }) => listOperators(db)),
    operatorRoute(operatorInvite, ({ db, session, input }) => proposeInvite(context, db, session, input)),
    operatorRoute(operatorSetRoles, ({ db, session, input }) => proposeChange(context, db, session, input)),
    operatorRoute(operatorDisable, ({ db, session, input }) =>
      proposeChange(context, db, session, { ...input, roles: null }),
    ),
    operatorRoute(operatorApprove, ({ db, session, input }) =>
      decideOperators(context, db, session, { ...input, decision: "approved" }),
    ),
    operatorRoute(operatorReject, async ({ db, session, input }) => {
      const decided = await decideOperators(context, db, session, { ...input, decision: "rejected" });
      return decided.ok ? accept(decided.value.proposal) : decided;
    }),
    operatorRoute(operatorEndSessions, ({ db, input, now }) => endSessionsOf(db, input.operatorId, now)),
    operatorRoute(auditList, async ({ db, input }) => {
      const page = await listAudit(db, input);
      return page.ok ? accept({ ...page.value, brokenAt: await firstBrokenAudit(db) }) : page;
    }),
    operatorRoute(auditExport, ({ input }) => {
      if (input.from !== undefined && input.to !== undefined && input.to < input.from)
        return refuse("FIELD_INVALID", { field: "from" }, { from: "FIELD_INVALID" });
      // The file is written after the call's transaction, row by row.
      return csvFile("fairtick-audit.csv", EXPORT_COLUMNS, eachAuditEntry(context.databases.console, input));
    }),
  ];
}

interface PasswordAsked {
  readonly input: { readonly password: string };
  readonly session: OperatorSession;
  readonly now: Instant;
}

/** Routes for operators' own second factors and sessions. */
function accountRoutes(context: OperatorContext): OperatorRoute[] {
  const checkPassword = (asked: PasswordAsked) => checkOwnPassword(context, asked.session, asked.input.password, asked);
  return [
    operatorRoute(sessionAccount, (asked) => readOwnAccount(context, asked.session, asked)),
    judgedRoute(sessionStartPasskey, checkPassword, (asked) => startPasskey(context, asked.session, asked)),
    judgedRoute(
      sessionRegisterPasskey,
      (asked) => judgeNewPasskey(context, asked.session, asked.input, asked.now),
      (asked, made) => registerPasskey(asked.session, made, asked),
    ),
    judgedRoute(sessionRemovePasskey, checkPassword, (asked) =>
      removePasskey(asked.session, asked.input.passkeyId, asked),
    ),
    judgedRoute(sessionStartTotp, checkPassword, (asked) => startTotp(context, asked.session, asked)),
    judgedRoute(
      sessionRegisterTotp,
      (asked) => judgeTotp(context, asked.session, asked.input.code, asked.now),
      (asked, judged) => registerTotp(asked.session, judged, asked),
    ),
    judgedRoute(sessionRemoveTotp, checkPassword, (asked) => removeTotp(asked.session, asked)),
    operatorRoute(sessionEndOther, (asked) => endOtherSession(asked.session, asked.input.sessionId, asked)),
  ];
}

const EXPORT_COLUMNS = [
  "auditNo",
  "at",
  "operator",
  "ip",
  "device",
  "action",
  "subject",
  "reason",
  "detail",
  "outcome",
  "hash",
] as const;
