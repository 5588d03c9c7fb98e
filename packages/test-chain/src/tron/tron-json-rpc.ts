import { decimalsWord } from "./tron-tokens.ts";
import { COIN, type MinedTransaction, type TronBlock, type TronChain } from "./tron-chain.ts";

/** A JSON-RPC error with its code. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** java-tron's default limits. */
const BLOCKS_MAX = 5_000;
const TOPICS_MAX = 1_000;
const LOGS_MAX = 10_000;

/** A chain as seen by a node, which can lag behind and deny transactions. */
export interface TronView {
  readonly chain: TronChain;
  /** The node's newest block. */
  head(): TronBlock;
  finalized(): TronBlock;
  isDenied(id: string): boolean;
}

interface Filter {
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly blockHash?: string;
  readonly address?: string | readonly string[];
  readonly topics?: readonly (string | readonly string[] | null)[];
}

/** Makes the methods of `/jsonrpc` that a watcher uses. Those that java-tron lacks, such as nonces, don't exist. */
export function tronJsonRpc(view: TronView): Readonly<Record<string, (params: readonly unknown[]) => unknown>> {
  const { chain } = view;
  const number = (value: number | bigint) => `0x${value.toString(16)}`;

  function blockAt(which: unknown): TronBlock | null {
    if (which === "latest") return view.head();
    if (which === "finalized") return view.finalized();
    if (which === "earliest") return chain.blocks[0] ?? null;
    if (typeof which !== "string" || !/^0x[0-9a-f]+$/.test(which)) throw new RpcError(-32602, "invalid block number");
    const height = Number(which);
    return height > view.head().height ? null : (chain.blocks[height] ?? null);
  }

  function visible(id: unknown) {
    if (typeof id !== "string" || view.isDenied(id)) return null;
    const found = chain.find(id);
    return found === null || found.block.height > view.head().height ? null : found;
  }

  function logsOf(block: TronBlock) {
    let logIndex = 0;
    return block.transactions.flatMap(({ transaction, logs }, place) =>
      logs.map((log) => ({
        address: log.contract,
        topics: log.topics,
        data: log.data,
        blockNumber: number(block.height),
        blockHash: block.hash,
        transactionHash: transaction.id,
        transactionIndex: number(place),
        // Numbered throughout the block, in logs as well as in receipts.
        logIndex: number(logIndex++),
        removed: false,
      })),
    );
  }

  function spanOf({ fromBlock = "latest", toBlock = "latest", blockHash }: Filter): readonly TronBlock[] {
    if (blockHash !== undefined) {
      const block = chain.blocks.find(({ hash }) => hash === blockHash);
      if (block === undefined || block.height > view.head().height) throw new RpcError(-32000, "invalid block hash");
      return [block];
    }
    const [from, to] = [blockAt(fromBlock), blockAt(toBlock) ?? view.head()];
    if (from === null) return [];
    if (to.height - from.height > BLOCKS_MAX) throw new RpcError(-32602, `exceed max block range: ${BLOCKS_MAX}`);
    return chain.blocks.slice(from.height, to.height + 1);
  }

  return {
    eth_chainId: () => `0x${chain.blocks[0]?.hash.slice(-8) ?? ""}`,
    eth_blockNumber: () => number(view.head().height),
    eth_getBlockByNumber([which]) {
      const block = blockAt(which);
      return block === null ? null : spokenBlock(block);
    },
    eth_getLogs([given]) {
      const filter = given as Filter;
      const topics = filter.topics ?? [];
      if (topics.some((one) => Array.isArray(one) && one.length > TOPICS_MAX)) {
        throw new RpcError(-32602, `exceed max topics: ${TOPICS_MAX}`);
      }
      const addresses = filter.address === undefined ? null : [filter.address].flat();
      const found = spanOf(filter)
        .flatMap(logsOf)
        .filter(
          (log) =>
            !view.isDenied(log.transactionHash) &&
            (addresses === null || addresses.includes(log.address)) &&
            topics.every((one, place) => one === null || [one].flat().includes(log.topics[place] ?? "")),
        );
      if (found.length > LOGS_MAX) throw new RpcError(-32005, `query returned more than ${LOGS_MAX} results`);
      return found;
    },
    eth_getTransactionReceipt([id]) {
      const found = visible(id);
      if (found === null) return null;
      const { block, place, mined } = found;
      return {
        transactionHash: mined.transaction.id,
        transactionIndex: number(place),
        blockNumber: number(block.height),
        blockHash: block.hash,
        from: mined.transaction.call.owner,
        to: mined.transaction.call.contract,
        status: mined.succeeded ? "0x1" : "0x0",
        logs: logsOf(block).filter(({ transactionHash }) => transactionHash === mined.transaction.id),
        type: "0x0",
      };
    },
    eth_getTransactionByHash([id]) {
      const found = visible(id);
      return found === null ? null : spokenTransaction(found.block, found.mined);
    },
    eth_getBalance([owner]) {
      return number(chain.balance(COIN, String(owner).toLowerCase(), view.head()));
    },
    eth_call([call]) {
      const { to, data } = call as { readonly to: string; readonly data: string };
      // decimals()
      if (data === "0x313ce567") return `0x${decimalsWord(to) ?? ""}`;
      if (!data.startsWith("0x70a08231")) throw new RpcError(-32000, "REVERT opcode executed");
      const units = chain.balance(to, `0x${data.slice(-40)}`, view.head());
      return `0x${units.toString(16).padStart(64, "0")}`;
    },
  };

  function spokenBlock(block: TronBlock) {
    return {
      number: number(block.height),
      hash: block.hash,
      parentHash: block.parentHash,
      timestamp: number(Math.floor(block.time / 1000)),
      transactions: block.transactions.map(({ transaction }) => transaction.id),
    };
  }

  function spokenTransaction(block: TronBlock, { transaction }: MinedTransaction) {
    return {
      hash: transaction.id,
      blockNumber: number(block.height),
      blockHash: block.hash,
      from: transaction.call.owner,
      to: transaction.call.contract,
      input: `0x${Buffer.from(transaction.call.data).toString("hex")}`,
    };
  }
}
