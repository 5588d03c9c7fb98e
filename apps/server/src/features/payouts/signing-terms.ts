import { NodeProblem } from "../chain/index.ts";
import type { PayoutNode } from "./payout-node.ts";
import type { SigningTerms } from "../signer/index.ts";

/** The most gas that the signer allows for a transaction. */
const GAS = 120_000n;
/** Of TRON: what a transaction may burn, and the price of its bytes; millionths of a TRX. */
const FEE_LIMIT = 50_000_000n;
const BANDWIDTH = 1_000_000n;
/** How long a TRON transaction stays valid. After that another one can be signed. */
export const TRON_EXPIRES_MS = 5n * 60_000n;

export interface FirstTerms {
  readonly terms: SigningTerms;
  /** The most of the chain's own coin that one payment costs. */
  readonly coins: bigint;
}

/** Terms that a payment's transaction is signed with now, unless its fee is being raised. */
export async function termsNow(node: PayoutNode): Promise<FirstTerms> {
  if (node.kind === "evm") {
    const price = await node.gasPrice();
    return { terms: price, coins: GAS * price.maxFee };
  }
  // A final block: a transaction that refers to another one may never be accepted at all.
  const [block, time] = await Promise.all([node.block("finalized"), node.time("latest")]);
  if (block === null) throw new NodeProblem("the node has no finalized block");
  const tron = {
    feeLimit: FEE_LIMIT,
    block: { height: block.number, hash: block.hash },
    expiration: time + TRON_EXPIRES_MS,
  };
  return { terms: { tron }, coins: FEE_LIMIT + BANDWIDTH };
}
