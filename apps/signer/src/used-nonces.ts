import { decodeTronTransaction, fromHex } from "@fairtick/domain";
import { parseTransaction, recoverTransactionAddress } from "viem";
import type { JournalEntry } from "./journal.ts";

type Made = Extract<JournalEntry, { t: "signed" | "sweep" }>;
type EvmBytes = `0x02${string}`;

/** Where a nonce counts: on one life of one chain, for one address. Chains that split have one genesis block and two ids. */
export interface NoncePlace {
  readonly chain: bigint;
  readonly genesis: string;
  /** Lower case. */
  readonly from: string;
  readonly nonce: number;
}

/**
 * What the journal has signed with this nonce, of another payment; undefined while it is free. By the bytes themselves, so that it
 * holds for entries of every age: a wallet beside it, or a chain that shares its first block, is disturbed by none of them.
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
    // One whose chain nobody knows any more counts for each.
    if (chain !== null && chain !== place.chain) continue;
    if ((await payerOf(entry)) === place.from) return entry;
  }
  return undefined;
}

/** Whose signature the bytes bear, lower case. */
export async function payerOf({ raw, id }: Made): Promise<string> {
  if (isEvm(raw)) return (await recoverTransactionAddress({ serializedTransaction: raw })).toLowerCase();
  const read = decodeTronTransaction(fromHex(raw.slice(2)) ?? new Uint8Array());
  if (read === null) throw new Error(`the journal has bytes of ${id} that are no transaction`);
  return read.call.owner;
}

/** null for what bears no chain: a transaction of TRON. */
export function chainOfBytes(raw: string): bigint | null {
  return isEvm(raw) ? BigInt(parseTransaction(raw).chainId) : null;
}

/** By its type: transactions of TRON begin with the tag of their first field. */
function isEvm(raw: string): raw is EvmBytes {
  return raw.startsWith("0x02");
}
