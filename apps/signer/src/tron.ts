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

/**
 * The longest that a transaction may be valid, which is also the longest wait before another can be signed for the same
 * payment.
 */
export const EXPIRES_MS_MAX = 3_600_000n;
const ANSWER_MS_MAX = 5_000;

/** A transaction signed for a payment. */
export interface TronAttempt {
  readonly hash: string;
  readonly raw: string;
}

/**
 * Signs the token transfer of exactly that payment. The encoded bytes are decoded again before they are signed, so that
 * what is signed is certain to be what they say, under their own id.
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

/** Returns the latest expiration of the transactions. Throws for bytes that the signer didn't make. */
export function lastExpiration(attempts: readonly TronAttempt[]): bigint {
  let last = 0n;
  for (const { raw } of attempts) {
    const read = decodeTronTransaction(fromHex(raw.slice(2)) ?? new Uint8Array());
    if (read === null) throw new Error("the journal has bytes that aren't a TRON transaction");
    if (read.call.expiration > last) last = read.call.expiration;
  }
  return last;
}

/** What a node reports about the solidified part of its chain, which can't be reverted. */
export interface SolidifiedChain {
  /** Returns the time of the last solidified block, in milliseconds since 1970. */
  time(): Promise<bigint>;
  /** Returns whether a solidified block contains the transaction. */
  has(hash: string): Promise<boolean>;
}

const nowBlock = v.object({
  block_header: v.object({ raw_data: v.object({ timestamp: v.pipe(v.number(), v.integer(), v.minValue(0)) }) }),
});
/** The answer about a transaction: `{}` if it is unknown. Anything else is invalid. */
const info = v.union([
  v.object({ id: v.string(), blockNumber: v.number() }),
  v.pipe(
    v.record(v.string(), v.unknown()),
    v.check((found) => Object.keys(found).length === 0),
  ),
]);

/** Opens a node by its HTTP address. Both functions throw if it doesn't answer or its answer is invalid. */
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
 * Checks that none of the transactions was included, and that none can be any more. Each node is first asked whether a
 * solidified block is past every expiration, and only then whether a solidified block contains one of them. Returns
 * null, or the reason why not.
 *
 * No block may include a transaction if its parent's time is at or after the transaction's expiration. Later blocks
 * therefore can't contain it, and all earlier ones are solidified.
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
