export { clearOperatorTries } from "./clear-tries.ts";
export type { OperatorContext } from "./operator-context.ts";
export { operatorRoutes } from "./operator-routes.ts";
export { authenticateOperator, mayOpenSession, formatOperatorId, parseOperatorId, personOf } from "./operator-rows.ts";
export {
  decideProposal,
  formatProposalId,
  listProposals,
  makeProposal,
  type NewProposal,
  parseProposalId,
  presentProposal,
  PROPOSAL_COLUMNS,
  PROPOSAL_JOINS,
  readProposal,
  type ProposalFilters,
  type ProposalRow,
} from "./proposals.ts";
export {
  inviteFounders,
  SANDBOX_LOGINS,
  sandboxOperators,
  type SeededOperator,
  seedOperators,
} from "./sandbox-operators.ts";
export { readDecided } from "./read-decided.ts";
export { fromBase32, totp } from "../../platform/second-factor/totp.ts";
