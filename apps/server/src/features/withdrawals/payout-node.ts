import * as v from "valibot";
import { askingNode, type ChainNode, hash, NodeProblem, openNode, quantity } from "../chain/index.ts";

export interface GasPrice {
  readonly maxFee: bigint;
  readonly priorityFee: bigint;
}

/** What paying asks of a node, besides what watching does. */
export interface PayoutNode extends ChainNode {
  /** How many transactions of the address are in the chain up to a block. */
  nonceAt(address: string, which: bigint | "latest"): Promise<bigint>;
  /** What a transaction should pay per gas to be mined soon. */
  gasPrice(): Promise<GasPrice>;
  tokenBalance(token: string, owner: string): Promise<bigint>;
  /** Hands a signed transaction over. That it answers nothing, or an error, says nothing: look it up by its hash. */
  send(raw: string): Promise<void>;
  /** Whether it knows the transaction, mined or not. */
  knows(txHash: string): Promise<boolean>;
}

const feeBlock = v.object({ baseFeePerGas: v.optional(quantity) });
const word = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-fA-F]{1,64}$/),
  v.transform((text) => BigInt(text)),
);
/** Where a node proposes nothing. */
const PRIORITY_FEE = 1_500_000_000n;

export function openPayoutNode(url: string): PayoutNode {
  const ask = askingNode(url);
  return {
    ...openNode(url),
    nonceAt: (address, which) =>
      ask(quantity, "eth_getTransactionCount", [address, which === "latest" ? which : `0x${which.toString(16)}`]),
    async gasPrice() {
      const block = await ask(feeBlock, "eth_getBlockByNumber", ["latest", false]);
      const proposed = await ask(quantity, "eth_maxPriorityFeePerGas", []).catch((error: unknown) => {
        if (error instanceof NodeProblem) return PRIORITY_FEE;
        throw error;
      });
      const priorityFee = proposed > 0n ? proposed : 1n;
      // The base fee may rise by an eighth with each block: twice of it lasts for six.
      return { maxFee: (block.baseFeePerGas ?? 0n) * 2n + priorityFee, priorityFee };
    },
    tokenBalance: (token, owner) =>
      // balanceOf(address)
      ask(word, "eth_call", [{ to: token, data: `0x70a08231${owner.slice(2).padStart(64, "0")}` }, "latest"]),
    async send(raw) {
      await ask(hash, "eth_sendRawTransaction", [raw]);
    },
    async knows(txHash) {
      const found = await ask(v.nullable(v.object({ hash })), "eth_getTransactionByHash", [txHash]);
      return found?.hash === txHash;
    },
  };
}
