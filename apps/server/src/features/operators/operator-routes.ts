import { accept, refuse } from "@fairtick/domain";
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
import { openOperatorRoute, type OperatorRoute, operatorRoute } from "../../platform/console/index.ts";
import { csvFile } from "../../platform/csv.ts";
import { decideOperators, endSessionsOf, listOperators, proposeChange, proposeInvite } from "./change-operators.ts";
import { eachAuditEntry, firstBrokenAudit, listAudit } from "./list-audit.ts";
import { enrolOperator, logInOperator, openInvitation, verifySecondFactor } from "./log-in-operator.ts";
import type { OperatorContext } from "./operator-context.ts";
import { endOperatorSessions, presentSelf } from "./operator-rows.ts";
import { endOtherSession, readOwnAccount, registerTotp, removeTotp, startTotp } from "./own-account.ts";
import { askPasskey, registerPasskey, removePasskey, startPasskey } from "./passkeys.ts";

/** The calls about operators themselves: sessions, who they are, what they did. */
export function operatorRoutes(context: OperatorContext): OperatorRoute[] {
  return [
    openOperatorRoute(sessionLogin, (asked) => logInOperator(context, asked.input, asked)),
    openOperatorRoute(sessionInvitation, (asked) => openInvitation(context, asked.input.token, asked)),
    openOperatorRoute(sessionEnrol, (asked) => enrolOperator(context, asked.input, asked)),
    operatorRoute(sessionAskPasskey, (asked) => askPasskey(context, asked.session, asked)),
    operatorRoute(sessionVerifySecondFactor, (asked) => verifySecondFactor(context, asked.session, asked.input, asked)),
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
      if (input.from !== undefined && input.to !== undefined && input.to < input.from) return refuse("FIELD_INVALID");
      // The file is written after the call's transaction, row by row.
      return csvFile("fairtick-audit.csv", EXPORT_COLUMNS, eachAuditEntry(context.databases.console, input));
    }),
  ];
}

/** What an operator does about his own second factors and sessions. */
function accountRoutes(context: OperatorContext): OperatorRoute[] {
  return [
    operatorRoute(sessionAccount, (asked) => readOwnAccount(context, asked.session, asked)),
    operatorRoute(sessionStartPasskey, (asked) => startPasskey(context, asked.session, asked.input.password, asked)),
    operatorRoute(sessionRegisterPasskey, (asked) => registerPasskey(context, asked.session, asked.input, asked)),
    operatorRoute(sessionRemovePasskey, (asked) => removePasskey(context, asked.session, asked.input, asked)),
    operatorRoute(sessionStartTotp, (asked) => startTotp(context, asked.session, asked.input.password, asked)),
    operatorRoute(sessionRegisterTotp, (asked) => registerTotp(context, asked.session, asked.input.code, asked)),
    operatorRoute(sessionRemoveTotp, (asked) => removeTotp(context, asked.session, asked.input.password, asked)),
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
