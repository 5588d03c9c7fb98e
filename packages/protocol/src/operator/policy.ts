import * as account from "./account-calls.ts";
import * as admin from "./operator-admin-calls.ts";
import { callsAmong } from "../call.ts";
import * as cases from "./case-calls.ts";
import * as config from "./config-calls.ts";
import * as deposit from "./deposit-calls.ts";
import * as file from "./file-calls.ts";
import * as identity from "./identity-calls.ts";
import * as incident from "./incident-calls.ts";
import * as member from "./member-calls.ts";
import * as money from "./money-calls.ts";
import * as notice from "./notice-calls.ts";
import * as overview from "./overview-calls.ts";
import { type OperatorCall, OPERATOR_ROLES, type OperatorRole } from "./operator-call.ts";
import * as policies from "./policy-calls.ts";
import * as referral from "./referral-calls.ts";
import * as reversal from "./reversal-calls.ts";
import * as report from "./report-calls.ts";
import * as session from "./session-calls.ts";
import * as support from "./support-calls.ts";
import * as vip from "./vip-calls.ts";
import * as withdrawal from "./withdrawal-calls.ts";

const declared = {
  ...session,
  ...account,
  ...admin,
  ...cases,
  ...deposit,
  ...reversal,
  ...file,
  ...member,
  ...money,
  ...config,
  ...identity,
  ...incident,
  ...notice,
  ...support,
  ...vip,
  ...withdrawal,
  ...referral,
  ...policies,
  ...report,
  ...overview,
};

type Declared = typeof declared;
type CallOf<Value> = Value extends { readonly path: infer Path extends string; readonly input: unknown } ? Path : never;
/** Path of every call of the back office. */
export type OperatorPath = { [Name in keyof Declared]: CallOf<Declared[Name]> }[keyof Declared];

/** All back-office calls. */
export const OPERATOR_CALLS = callsAmong(declared) as readonly OperatorCall[];

/**
 * `anyone`: no session. `password`: a session that has yet to give the second factor. `operator`: any operator who is
 * logged in.
 */
export type OperatorAccess = "anyone" | "password" | "operator" | readonly OperatorRole[];

const READERS = OPERATOR_ROLES;
const AUDITORS = ["auditor", "admin"] as const;

/**
 * Says who may make which call. A call without a row, or a row without a call, does not compile. The auditor reads
 * everything and changes nothing. The database also checks who may decide on a proposal (`proposal_kinds`).
 */
export const OPERATOR_POLICY: Readonly<Record<OperatorPath, OperatorAccess>> = {
  "session/login": "anyone",
  "session/invitation": "anyone",
  "session/declineInvitation": "anyone",
  "session/enrol": "anyone",
  "session/askPasskey": "password",
  "session/verifySecondFactor": "password",
  "session/me": "operator",
  "session/logout": "operator",
  "session/account": "operator",
  "session/startPasskey": "operator",
  "session/registerPasskey": "operator",
  "session/removePasskey": "operator",
  "session/startTotp": "operator",
  "session/registerTotp": "operator",
  "session/removeTotp": "operator",
  "session/endOther": "operator",
  // Each block of the overview follows the policy of the screen that it opens.
  "overview/read": "operator",
  // The feature also checks that they may list the queue and, to take a case, that they may decide it.
  "case/list": READERS,
  "case/take": ["support", "finance", "compliance"],
  "case/giveBack": ["support", "finance", "compliance"],
  "operator/list": AUDITORS,
  "operator/invite": ["admin"],
  "operator/setRoles": ["admin"],
  "operator/disable": ["admin"],
  "operator/approve": ["admin"],
  "operator/reject": ["admin"],
  "operator/endSessions": ["admin"],
  "audit/list": AUDITORS,
  "audit/export": AUDITORS,
  "member/list": READERS,
  "member/detail": READERS,
  "member/ledger": READERS,
  "member/orders": READERS,
  "member/files": READERS,
  "member/assignVip": ["support", "admin"],
  "vip/list": READERS,
  "vip/setHours": ["support"],
  "member/suspend": ["compliance"],
  "member/lift": ["compliance"],
  "member/reviewStanding": ["compliance"],
  "member/proposeLiftFreeze": ["compliance"],
  "member/decideLiftFreeze": ["compliance"],
  "member/removeFactor": ["support", "compliance"],
  "member/keepFactor": ["support", "compliance"],
  "identity/list": ["compliance", "auditor"],
  "identity/detail": ["compliance", "auditor"],
  "identity/viewFile": ["compliance", "auditor"],
  "identity/approve": ["compliance"],
  "identity/reject": ["compliance"],
  "identity/revoke": ["compliance"],
  "identity/keep": ["compliance"],
  "correction/list": ["finance", "auditor"],
  "correction/propose": ["finance"],
  "correction/approve": ["finance"],
  "correction/reject": ["finance"],
  "capital/list": ["admin", "finance", "auditor"],
  "capital/propose": ["admin", "finance"],
  "capital/approve": ["admin", "finance"],
  "capital/reject": ["admin", "finance"],
  "referral/list": AUDITORS,
  "referral/propose": ["admin"],
  "referral/approve": ["admin"],
  "referral/reject": ["admin"],
  "config/list": AUDITORS,
  "config/propose": ["admin"],
  "config/proposeAgain": ["admin"],
  "config/approve": ["admin"],
  "config/reject": ["admin"],
  "region/list": READERS,
  "region/propose": ["admin"],
  "region/proposeAgain": ["admin"],
  "region/approve": ["admin"],
  "region/reject": ["admin"],
  "withdrawalTerms/list": READERS,
  "withdrawalTerms/propose": ["admin"],
  "withdrawalTerms/proposeAgain": ["admin"],
  "withdrawalTerms/approve": ["admin"],
  "withdrawalTerms/reject": ["admin"],
  "deposit/list": ["finance", "support", "auditor"],
  "deposit/detail": ["finance", "support", "auditor"],
  "deposit/matchStatement": ["finance"],
  "deposit/credit": ["finance"],
  "deposit/reject": ["finance"],
  "deposit/importStatement": ["finance"],
  "statement/list": ["finance", "auditor"],
  "deposit/proposeCard": ["finance", "support"],
  "deposit/approveCard": ["finance"],
  "deposit/rejectCard": ["finance", "support"],
  "deposit/proposeReversal": ["finance"],
  "deposit/approveReversal": ["finance"],
  "deposit/rejectReversal": ["finance"],
  "receivingCard/list": ["admin", "finance", "auditor"],
  "receivingCard/propose": ["admin"],
  "receivingCard/approve": ["admin"],
  "receivingCard/reject": ["admin"],
  "incident/list": ["finance", "admin", "auditor"],
  "incident/close": ["finance", "admin"],
  "incident/propose": ["finance", "admin"],
  "incident/approve": ["finance", "admin"],
  "incident/reject": ["finance", "admin"],
  // The feature decides by the file's purpose what each role may see.
  "file/view": READERS,
  "notice/list": ["support", "auditor"],
  "notice/save": ["support"],
  "notice/preview": ["support", "auditor"],
  "notice/publish": ["support"],
  "notice/withdraw": ["support"],
  "notice/message": ["support"],
  "support/inbox": ["support", "auditor"],
  "support/chat": ["support", "auditor"],
  "support/canned": ["support", "auditor"],
  "support/saveCanned": ["support"],
  "support/deleteCanned": ["support"],
  "support/attach": ["support"],
  "support/send": ["support"],
  "support/markRead": ["support"],
  "support/assign": ["support"],
  "support/close": ["support"],
  "support/typing": ["support"],
  "withdrawal/list": ["finance", "auditor"],
  "withdrawal/detail": ["finance", "auditor"],
  "withdrawal/approve": ["finance"],
  "withdrawal/reject": ["finance"],
  "withdrawal/release": ["finance"],
  "withdrawal/settleShort": ["finance"],
  "withdrawal/walletState": ["finance", "admin", "auditor"],
  "withdrawal/keys": ["finance", "admin", "auditor"],
  "withdrawal/proposeKey": ["finance"],
  "withdrawal/approveKey": ["finance", "admin"],
  "withdrawal/revokeKey": ["finance", "admin"],
  "withdrawal/rejectKey": ["finance", "admin"],
  "report/withdrawalTimes": READERS,
  "report/exposure": READERS,
  "report/fairness": READERS,
  "report/liabilities": READERS,
  "report/result": READERS,
};

/** Returns the policy of a path; undefined if no call has that path. */
export function operatorAccess(path: string): OperatorAccess | undefined {
  return Object.hasOwn(OPERATOR_POLICY, path) ? OPERATOR_POLICY[path as OperatorPath] : undefined;
}

/** Returns whether an operator with these roles, logged in with both factors, may make a call. */
export function mayCall(path: OperatorPath, roles: readonly OperatorRole[]): boolean {
  const access = OPERATOR_POLICY[path];
  return typeof access === "string" ? access !== "password" : access.some((role) => roles.includes(role));
}
