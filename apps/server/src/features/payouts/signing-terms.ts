import { NodeProblem } from "../chain/index.ts";
import type { PayoutNode } from "./payout-node.ts";
import type { SigningTerms } from "../signer/index.ts";

/** What the signer gives a transaction at most. */
const GAS = 120_000n;
/** Of TRON: what a transaction may burn, and the price of its bytes; millionths of a TRX. */
const FEE_LIMIT = 50_000_000n;
const BANDWIDTH = 1_000_000n;
/** So long a transaction of TRON may be taken; after it another can be signed. */
export const TRON_EXPIRES_MS = 5n * 60_000n;

export interface FirstTerms {
  readonly terms: SigningTerms;
  /** What one payment takes of the chain's own coin at most. */
  readonly coins: bigint;
}

/** What a payment's transaction is signed with now, but for one that is made dearer. */
export async function termsNow(node: PayoutNode): Promise<FirstTerms> {
  if (node.kind === "evm") {
    const price = await node.gasPrice();
    return { terms: price, coins: GAS * price.maxFee };
  }
  // A block that nothing takes back: a transaction that builds on another one may never be taken at all.
  const [block, time] = await Promise.all([node.block("finalized"), node.time("latest")]);
  if (block === null) throw new NodeProblem("the node has no finalized block");
  const tron = {
    feeLimit: FEE_LIMIT,
    block: { height: block.number, hash: block.hash },
    expiration: time + TRON_EXPIRES_MS,
  };
  return { terms: { tron }, coins: FEE_LIMIT + BANDWIDTH };
}
