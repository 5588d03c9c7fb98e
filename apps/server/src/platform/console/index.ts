export { type AuditRow, listDecisions, type RecordedDecision, writeAudit } from "./audit.ts";
export { cookieName, tokenOf } from "./console-cookie.ts";
export { createConsoleServer, type ConsoleServerOptions } from "./console-server.ts";
export {
  Afterwards,
  type FileRequest,
  type JudgedRequest,
  judgedRoute,
  openJudgedRoute,
  openOperatorRoute,
  operatorFileRoute,
  type OperatorRequest,
  type OperatorRoute,
  operatorRoute,
  type OperatorSession,
  Refused,
  type SignedInRequest,
} from "./operator-route.ts";
export { type AuthenticateOperator, CONSOLE_HEADER } from "./operator-edge.ts";
