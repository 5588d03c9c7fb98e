import { NodeProblem } from "../chain/index.ts";
import type { EvmPayoutNode } from "./payout-node.ts";
import type { PayoutParts } from "./payout-parts.ts";
import type { Sent } from "./send-again.ts";

/** The transaction that used a nonce, in a final block. */
export interface NonceUse {
  readonly hash: string;
  readonly height: bigint;
}

/**
 * Finds the transaction that used a payment's nonce when none of our attempts was mined. The witness node has to show the
 * same transaction in the same final block. Returns null if it is one of our attempts after all, or if a node can't show it
 * (nodes that keep no old states can't). Without this transaction, nothing proves that the payment is dead.
 */
export async function findStranger(
  { node, witness, log }: PayoutParts,
  from: string,
  { nonce, attempts }: Sent,
  final: bigint,
): Promise<NonceUse | null> {
  if (node.kind !== "evm") return null;
  try {
    const height = await heightOfUse(node, from, nonce, final);
    const block = await node.sentIn(height, from);
    const used = block?.sent.find((one) => one.nonce === nonce);
    if (block === null || used === undefined) return null;
    if (attempts.some(({ tx_hash: hash }) => hash === used.hash)) return null;
    if (witness !== null && (await witness.receipt(used.hash))?.blockHash !== block.hash) return null;
    return { hash: used.hash, height };
  } catch (error) {
    if (!(error instanceof NodeProblem)) throw error;
    log.warn({ err: error, nonce: String(nonce) }, "a node can't show which transaction used a nonce");
    return null;
  }
}

/** Finds the block that used the nonce. Searches backwards, since nodes keep the newest states the longest. */
async function heightOfUse(node: EvmPayoutNode, from: string, nonce: bigint, final: bigint): Promise<bigint> {
  let used = final;
  let unused = -1n;
  for (let step = 1n; used > 0n; step *= 2n) {
    const below = final > step ? final - step : 0n;
    if ((await node.nonceAt(from, below)) <= nonce) {
      unused = below;
      break;
    }
    used = below;
  }
  while (used - unused > 1n) {
    const middle = (used + unused) / 2n;
    if ((await node.nonceAt(from, middle)) > nonce) used = middle;
    else unused = middle;
  }
  return used;
}
