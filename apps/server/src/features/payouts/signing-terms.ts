import { NodeProblem } from "../chain/index.ts";
import type { PayoutNode } from "./payout-node.ts";
import type { SigningTerms } from "../signer/index.ts";

/** The most gas that the signer allows for a transaction. */
const GAS = 120_000n;
/** On TRON: the most a transaction may burn, and the price of its bytes, in millionths of a TRX. */
const FEE_LIMIT = 50_000_000n;
const BANDWIDTH = 1_000_000n;
/** How long a TRON transaction stays valid. Another one can be signed after that. */
export const TRON_EXPIRES_MS = 5n * 60_000n;

export interface FirstTerms {
  readonly terms: SigningTerms;
  /** The most that one payment costs, in the smallest unit of the chain's own coin. */
  readonly coins: bigint;
}

/** Reads the terms for a payment's first transaction. Later attempts with a higher fee have their own. */
export async function termsNow(node: PayoutNode): Promise<FirstTerms> {
  if (node.kind === "evm") {
    const price = await node.gasPrice();
    return { terms: price, coins: GAS * price.maxFee };
  }
  // Refer to a final block: if a reorganization removed the block, no node would ever accept the transaction.
  const [block, time] = await Promise.all([node.block("finalized"), node.time("latest")]);
  if (block === null) throw new NodeProblem("the node has no finalized block");
  const tron = {
    feeLimit: FEE_LIMIT,
    block: { height: block.number, hash: block.hash },
    expiration: time + TRON_EXPIRES_MS,
  };
  return { terms: { tron }, coins: FEE_LIMIT + BANDWIDTH };
}
