export { type Anvil, mine, saveState, startAnvil } from "./anvil.ts";
export { TestChainProblem } from "./binary.ts";
export { depositXpub, EVM_ACCOUNT } from "./deposit-seed.ts";
export { callNode, callNodeForText, NodeRefusal } from "./node-call.ts";
export { startTestChain, type TestChain, type TestChainOptions } from "./start-test-chain.ts";
export {
  deployEighteen,
  deployTokens,
  fundWallet,
  mintTo,
  readArtifact,
  STRANGER,
  switchFeeOn,
  type TestTokens,
  type TestWallet,
} from "./tokens.ts";
