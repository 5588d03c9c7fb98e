export { type PolicyName, seedPolicy } from "./seed-policy.ts";
export { type Stand, standOfProposal, type VersionKind, type Versioned } from "./stand-of-proposal.ts";
export { stateOfVersion } from "./version-state.ts";
