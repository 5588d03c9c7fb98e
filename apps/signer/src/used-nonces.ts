import { decodeTronTransaction, fromHex } from "@fairtick/domain";
import { parseTransaction, recoverTransactionAddress } from "viem";
import type { JournalEntry } from "./journal.ts";

type Made = Extract<JournalEntry, { t: "signed" | "sweep" }>;
type EvmBytes = `0x02${string}`;

/**
 * Identifies a nonce: one instance of one chain, and one address. Chains that have split share a genesis block but have
 * two ids.
 */
export interface NoncePlace {
  readonly chain: bigint;
  readonly genesis: string;
  /** Address in lower case. */
  readonly from: string;
  readonly nonce: number;
}

/**
 * Returns the journal's entry that was signed with this nonce for another payment; undefined if the nonce is free. The
 * signed bytes themselves are examined, so that it works for entries of any age, and entries of another wallet or of a
 * chain with the same genesis block don't interfere.
 */
export async function findUse<Kind extends Made>(
  made: readonly Kind[],
  chainOf: (entry: Kind) => bigint | null,
  place: NoncePlace,
  id: string,
): Promise<Kind | undefined> {
  for (const entry of made) {
    if (entry.id === id || entry.genesis !== place.genesis || entry.nonce !== place.nonce) continue;
    const chain = chainOfBytes(entry.raw) ?? chainOf(entry);
    // An entry whose chain is no longer known counts for every chain.
    if (chain !== null && chain !== place.chain) continue;
    if ((await payerOf(entry)) === place.from) return entry;
  }
  return undefined;
}

/** Returns the address that signed the bytes, in lower case. */
export async function payerOf({ raw, id }: Made): Promise<string> {
  if (isEvm(raw)) return (await recoverTransactionAddress({ serializedTransaction: raw })).toLowerCase();
  const read = decodeTronTransaction(fromHex(raw.slice(2)) ?? new Uint8Array());
  if (read === null) throw new Error(`the journal has bytes of ${id} that aren't a transaction`);
  return read.call.owner;
}

/** Returns the chain id in the bytes; null for a transaction of TRON, which has none. */
export function chainOfBytes(raw: string): bigint | null {
  return isEvm(raw) ? BigInt(parseTransaction(raw).chainId) : null;
}

/**
 * Returns whether the bytes are an EVM transaction, by their type. Transactions of TRON begin with the tag of their
 * first field.
 */
function isEvm(raw: string): raw is EvmBytes {
  return raw.startsWith("0x02");
}
