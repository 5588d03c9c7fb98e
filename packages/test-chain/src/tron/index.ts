export { COIN, type TronChain } from "./tron-chain.ts";
export { startTronNode, type TronNode, type TronNodeOptions } from "./start-tron-node.ts";
export { TRON_OTHER_TOKEN, TRON_TOKEN } from "./tron-tokens.ts";
