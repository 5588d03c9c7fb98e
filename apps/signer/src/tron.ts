import {
  decodeTronTransaction,
  encodeTokenTransfer,
  encodeTronCall,
  encodeTronTransaction,
  fromHex,
  type Payment,
  toHex,
  TRON_OVER_MS,
  tronBlockReference,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import * as v from "valibot";
import { type Hex, hexToBytes } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import type { TronTerms } from "./messages.ts";
import type { SignerNode } from "./settings.ts";

/** So long a transaction may be good at most: as long it may be before another can be signed for the same payment. */
export const EXPIRES_MS_MAX = 3_600_000n;
const ANSWER_MS_MAX = 5_000;

/** What was signed before for the same payment. */
export interface TronAttempt {
  readonly hash: string;
  readonly raw: string;
}

/**
 * The token's transfer of exactly that payment. The bytes are read back before they are signed: what is signed is what
 * stands in them, under the id that they have.
 */
export async function signTron(
  account: PrivateKeyAccount,
  payment: Payment,
  terms: TronTerms,
  at: bigint,
): Promise<TronAttempt> {
  const owner = account.address.toLowerCase();
  const raw = encodeTronCall({
    owner,
    contract: payment.token,
    data: encodeTokenTransfer(payment.to, payment.amount),
    feeLimit: terms.feeLimit,
    ...tronBlockReference(terms.block),
    expiration: terms.expiration,
    timestamp: at,
  });
  const id: Hex = `0x${toHex(nodeHashes.sha256(raw))}`;
  const signature = hexToBytes(await account.sign({ hash: id }));
  const signed = encodeTronTransaction(raw, signature);
  const read = decodeTronTransaction(signed);
  const isThat =
    read?.call.owner === owner &&
    read.call.contract === payment.token &&
    toHex(read.call.data) === toHex(encodeTokenTransfer(payment.to, payment.amount)) &&
    `0x${toHex(nodeHashes.sha256(read.raw))}` === id;
  if (!isThat) throw new Error(`the bytes of ${payment.id} are not those of its payment`);
  return { hash: id, raw: `0x${toHex(signed)}` };
}

/** When the last of them was over. Throws for bytes that the signer did not make. */
export function lastExpiration(attempts: readonly TronAttempt[]): bigint {
  let last = 0n;
  for (const { raw } of attempts) {
    const read = decodeTronTransaction(fromHex(raw.slice(2)) ?? new Uint8Array());
    if (read === null) throw new Error("the journal has bytes that are no transaction of TRON");
    if (read.call.expiration > last) last = read.call.expiration;
  }
  return last;
}

/** What a node's solidified part says: what stands there, nothing takes back. */
export interface SolidifiedChain {
  /** Time of the last solidified block, milliseconds. */
  time(): Promise<bigint>;
  /** Whether a solidified block has the transaction. */
  has(hash: string): Promise<boolean>;
}

const nowBlock = v.object({
  block_header: v.object({ raw_data: v.object({ timestamp: v.pipe(v.number(), v.integer(), v.minValue(0)) }) }),
});
/** An unknown transaction's is `{}`; anything else than one of the two is no answer. */
const info = v.union([
  v.object({ id: v.string(), blockNumber: v.number() }),
  v.pipe(
    v.record(v.string(), v.unknown()),
    v.check((found) => Object.keys(found).length === 0),
  ),
]);

/** By a node's HTTP address. Both throw when it does not answer, or talks nonsense. */
export function openSolidified({ url, headers }: SignerNode): SolidifiedChain {
  async function ask<Schema extends v.GenericSchema>(schema: Schema, path: string, body: object) {
    const response = await fetch(`${url.replace(/\/$/, "")}/walletsolidity/${path}`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
      redirect: "error",
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return v.parse(schema, await response.json());
  }
  return {
    async time() {
      const { block_header: header } = await ask(nowBlock, "getnowblock", {});
      return BigInt(header.raw_data.timestamp);
    },
    async has(hash) {
      const found = await ask(info, "gettransactioninfobyid", { value: hash.slice(2) });
      return "id" in found;
    },
  };
}

/**
 * Whether none of the transactions was taken, and none can be any more: a solidified block is past every expiration, and
 * only then was it asked, and of each node, whether a solidified block has one. null, or the sentence why not.
 *
 * No block may take a transaction whose parent's time is at or after its expiration, so that whatever comes after that
 * block cannot have it, and whatever comes before it is solidified as well.
 */
export async function whyNotDead(
  attempts: readonly TronAttempt[],
  nodes: readonly SolidifiedChain[],
): Promise<{ readonly why: string; readonly isPaid: boolean } | null> {
  const last = lastExpiration(attempts);
  for (const node of nodes) {
    try {
      if ((await node.time()) < last + TRON_OVER_MS)
        return { why: "an earlier transaction is not over on a node", isPaid: false };
      for (const { hash } of attempts) {
        if (await node.has(hash)) return { why: `${hash} is in a block`, isPaid: true };
      }
    } catch (error) {
      const why = `a node does not say: ${error instanceof Error ? error.message : String(error)}`;
      return { why, isPaid: false };
    }
  }
  return nodes.length === 0 ? { why: "there is no node to ask", isPaid: false } : null;
}
