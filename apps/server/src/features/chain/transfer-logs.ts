import {
  type ChainLog,
  type ChainNode,
  type ChainReceipt,
  type LogFilter,
  type LogRange,
  NodeProblem,
} from "./node.ts";

/** Topic of transfer logs: keccak256 of `Transfer(address,address,uint256)`. */
export const TRANSFER_TOPIC = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** Tokens that went to one of our addresses. */
export interface SeenTransfer {
  readonly txHash: string;
  /** Position among the logs of its own transaction. */
  readonly logIndex: number;
  readonly token: string;
  readonly from: string;
  readonly to: string;
  readonly rawAmount: bigint;
  readonly height: bigint;
  readonly blockHash: string;
}

/** How many addresses one request to a node names. */
const ADDRESSES_AT_ONCE = 200;

/**
 * Reads transfers to any of `addresses`. With up to 200 addresses, it finds transfers of any token. With more, `own` reads all
 * transfers of `token` and picks out ours, in one request however many members there are; `every` reads transfers of any
 * token, with 200 addresses per request. Each transaction's receipt is read to find the position of its logs.
 */
export async function readTransfers(
  node: ChainNode,
  range: LogRange,
  token: string,
  addresses: ReadonlyMap<string, bigint>,
  which: "own" | "every" = "own",
): Promise<readonly SeenTransfer[]> {
  if (addresses.size === 0) return [];
  const filters: readonly LogFilter[] =
    which === "own" && addresses.size > ADDRESSES_AT_ONCE
      ? [{ address: token, topics: [TRANSFER_TOPIC] }]
      : chunksOf([...addresses.keys()].map(topicOfAddress)).map((to) => ({ topics: [TRANSFER_TOPIC, null, to] }));
  const logs: ChainLog[] = [];
  for (const filter of filters) logs.push(...(await node.logs(range, filter)));
  const ours = logs.filter((log) => {
    const transfer = parseTransfer(log);
    return transfer !== null && addresses.has(transfer.to);
  });
  const receipts = new Map<string, ChainReceipt>();
  const seen: SeenTransfer[] = [];
  for (const log of ours) {
    const receipt = receipts.get(log.transactionHash) ?? (await node.receipt(log.transactionHash));
    // A node behind a load balancer may know the log and not yet the receipt, or the receipt of another branch. The
    // next round asks again.
    if (receipt === null || receipt.blockHash !== log.blockHash) throw new NodeProblem("a log and its receipt differ");
    receipts.set(log.transactionHash, receipt);
    const logIndex = receipt.logs.findIndex((one) => one.logIndex === log.logIndex);
    const transfer = parseTransfer(receipt.logs[logIndex]);
    if (transfer === null || !addresses.has(transfer.to)) throw new NodeProblem("a log is not in its receipt");
    seen.push({
      ...transfer,
      txHash: log.transactionHash,
      logIndex,
      height: log.blockNumber,
      blockHash: log.blockHash,
    });
  }
  return seen;
}

/** Reads a log as a token transfer with an amount; null for anything else, such as a transfer of a numbered token. */
export function parseTransfer(
  log: ChainLog | undefined,
): Pick<SeenTransfer, "token" | "from" | "to" | "rawAmount"> | null {
  if (log === undefined || log.topics.length !== 3 || log.data.length !== 66) return null;
  const [topic, from = "", to = ""] = log.topics;
  if (topic !== TRANSFER_TOPIC || !isAddressTopic(from) || !isAddressTopic(to)) return null;
  return { token: log.address, from: `0x${from.slice(26)}`, to: `0x${to.slice(26)}`, rawAmount: BigInt(log.data) };
}

function isAddressTopic(topic: string): boolean {
  return topic.startsWith(`0x${"0".repeat(24)}`);
}

function topicOfAddress(address: string): string {
  return `0x${address.slice(2).padStart(64, "0")}`;
}

function chunksOf(topics: readonly string[]): readonly (readonly string[])[] {
  const chunks: (readonly string[])[] = [];
  for (let start = 0; start < topics.length; start += ADDRESSES_AT_ONCE) {
    chunks.push(topics.slice(start, start + ADDRESSES_AT_ONCE));
  }
  return chunks;
}
