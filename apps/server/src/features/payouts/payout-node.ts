import * as v from "valibot";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import { type AskNode, askingNode, type ChainNode, hash, NodeProblem, openNode, quantity } from "../chain/index.ts";
import { askingWallet, spokenTransaction, type TronWallet } from "./tron-wallet.ts";

export interface GasPrice {
  readonly maxFee: bigint;
  readonly priorityFee: bigint;
}

export interface SentBlock {
  readonly hash: string;
  readonly sent: readonly { readonly hash: string; readonly nonce: bigint }[];
}

/** What paying needs from every kind of node, in addition to what watching needs. */
interface CommonPayoutNode extends ChainNode {
  tokenBalance(token: string, owner: string): Promise<bigint>;
  /** Sends a signed transaction. No answer, or an error, proves nothing: look the transaction up by its hash. */
  send(raw: string): Promise<void>;
  /** Whether the node knows the transaction, mined or not. */
  knows(txHash: string): Promise<boolean>;
}

export interface EvmPayoutNode extends CommonPayoutNode {
  readonly kind: "evm";
  /** How many transactions of the address the chain has up to a block: the next nonce. */
  nonceAt(address: string, which: bigint | "latest"): Promise<bigint>;
  /** What an address sent in a block; null if there is no such block. */
  sentIn(height: bigint, address: string): Promise<SentBlock | null>;
  /** What a transaction should pay for each unit of gas to be mined soon. */
  gasPrice(): Promise<GasPrice>;
}

/** A TRON node. TRON has no nonces: a transaction is dead once the chain's time is past its expiration. */
export interface TronPayoutNode extends CommonPayoutNode {
  readonly kind: "tron";
  /** Time of the newest block, or of the newest one that is final, in milliseconds. */
  time(of: "latest" | "solidified"): Promise<bigint>;
}

export type PayoutNode = EvmPayoutNode | TronPayoutNode;

const feeBlock = v.object({ baseFeePerGas: v.optional(quantity) });
const fullBlock = v.object({
  hash,
  number: quantity,
  transactions: v.array(v.object({ hash, from: v.pipe(v.string(), v.toLowerCase()), nonce: quantity })),
});
const timedBlock = v.object({ timestamp: quantity });
const word = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-fA-F]{1,64}$/),
  v.transform((text) => BigInt(text)),
);
/** Used if a node doesn't propose a priority fee, in wei. */
const PRIORITY_FEE = 1_500_000_000n;

/**
 * Opens a node of the chain's kind. TRON takes payments by its wallet calls and answers everything else by JSON-RPC, as EVM
 * nodes do.
 */
export function openPayoutNode({
  url,
  walletUrl,
  headers,
}: Pick<ChainSettings, "url" | "walletUrl" | "headers">): PayoutNode {
  const ask = askingNode(url, headers);
  const node = openNode(url, headers);
  return walletUrl === null ? openEvmNode(node, ask) : openTronNode(node, ask, askingWallet(walletUrl, headers));
}

function openEvmNode(node: ChainNode, ask: AskNode): EvmPayoutNode {
  return {
    kind: "evm",
    ...node,
    ...readTokens(ask),
    nonceAt: (address, which) =>
      ask(quantity, "eth_getTransactionCount", [address, which === "latest" ? which : `0x${which.toString(16)}`]),
    async sentIn(height, address) {
      const found = await ask(v.nullable(fullBlock), "eth_getBlockByNumber", [`0x${height.toString(16)}`, true]);
      if (found === null) return null;
      if (found.number !== height) throw new NodeProblem("eth_getBlockByNumber: another block was answered");
      return { hash: found.hash, sent: found.transactions.filter(({ from }) => from === address) };
    },
    async gasPrice() {
      const block = await ask(feeBlock, "eth_getBlockByNumber", ["latest", false]);
      const proposed = await ask(quantity, "eth_maxPriorityFeePerGas", []).catch((error: unknown) => {
        if (error instanceof NodeProblem) return PRIORITY_FEE;
        throw error;
      });
      const priorityFee = proposed > 0n ? proposed : 1n;
      // The base fee can rise by an eighth with each block, so twice the base fee lasts for six blocks.
      return { maxFee: (block.baseFeePerGas ?? 0n) * 2n + priorityFee, priorityFee };
    },
    async send(raw) {
      await ask(hash, "eth_sendRawTransaction", [raw]);
    },
    async knows(txHash) {
      const found = await ask(v.nullable(v.object({ hash })), "eth_getTransactionByHash", [txHash]);
      return found?.hash === txHash;
    },
  };
}

function openTronNode(node: ChainNode, ask: AskNode, wallet: TronWallet): TronPayoutNode {
  return {
    kind: "tron",
    ...node,
    ...readTokens(ask),
    async time(of) {
      if (of === "latest") return (await wallet.newestBlock()).time;
      // JSON-RPC gives block times in whole seconds, rounded down, so the result is never ahead of the chain.
      const block = await ask(timedBlock, "eth_getBlockByNumber", ["finalized", false]);
      return block.timestamp * 1000n;
    },
    send: (raw) => wallet.broadcast(spokenTransaction(raw)),
    async knows(txHash) {
      if (await wallet.isPending(txHash)) return true;
      const found = await ask(v.nullable(v.object({ hash })), "eth_getTransactionByHash", [txHash]);
      return found?.hash === txHash;
    },
  };
}

function readTokens(ask: AskNode) {
  return {
    tokenBalance: (token: string, owner: string) =>
      // balanceOf(address)
      ask(word, "eth_call", [{ to: token, data: `0x70a08231${owner.slice(2).padStart(64, "0")}` }, "latest"]),
  };
}
