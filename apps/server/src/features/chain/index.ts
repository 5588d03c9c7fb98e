export { openIncident } from "./incidents.ts";
export {
  askingNode,
  type AskNode,
  type ChainNode,
  type ChainReceipt,
  hash,
  NodeProblem,
  openNode,
  quantity,
} from "./node.ts";
export { type ChainWatchers, startChainWatchers } from "./start-watchers.ts";
export { refuseOtherDecimals, requireMillionths } from "./token-decimals.ts";
export { parseTransfer } from "./transfer-logs.ts";
