import { NodeProblem } from "../chain/index.ts";
import type { EvmPayoutNode } from "./payout-node.ts";
import type { PayoutParts } from "./payout-parts.ts";
import type { Sent } from "./send-again.ts";

/** The transaction that used a nonce up, in a block that nothing takes back. */
export interface NonceUse {
  readonly hash: string;
  readonly height: bigint;
}

/**
 * Who used the nonce of a payment whose attempts nobody has mined: the transaction itself, found in its final block, and by the
 * witness in the same one. null where it is an attempt of ours after all, or where no node shows it (one that keeps no old
 * states): without it nothing is proven dead.
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
    log.warn({ err: error, nonce: String(nonce) }, "a node does not show who used a nonce");
    return null;
  }
}

/** The first block after which the nonce is used up: looked for backwards, as nodes keep the newest states the longest. */
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
