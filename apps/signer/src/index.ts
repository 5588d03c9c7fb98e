export { openJournal, type Journal } from "./journal.ts";
export { gasAddress, payoutAddress, payoutKey, readSeed, SignerProblem } from "./key.ts";
export type {
  AuthorizeMessage,
  EnrolMessage,
  SignedTransaction,
  SignerAnswer,
  SignerRefusal,
  SignerState,
  SignMessage,
} from "./messages.ts";
export { parseRules, readSettings, type SignerRules, type SignerSettings } from "./settings.ts";
export { openSigner, type Signer } from "./signer.ts";
export { refuseOtherDecimals } from "./token-decimals.ts";
export { type RunningSigner, startSigner } from "./start-signer.ts";
