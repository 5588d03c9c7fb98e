import { type ChainKind, formatDecimal, formatTronAddress } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { keccak_256 } from "@noble/hashes/sha3.js";
import type { ChainSettings } from "./chain-settings.ts";

/** An address as people of its chain read it: with the capitals of EIP-55, or as TRON's `T…`. Both show a typing error. */
export function formatChainAddress(kind: ChainKind, address: string): string {
  return kind === "tron" ? formatTronAddress(address, (bytes) => nodeHashes.sha256(bytes)) : checksumAddress(address);
}

/** A transaction's hash as explorers of its chain know it: TRON's have no `0x`. */
export function formatTxHash(kind: ChainKind, hash: string): string {
  return kind === "tron" ? hash.replace(/^0x/, "") : hash;
}

/** The coins that pay a chain's fees: `amount` in wei as "0.05", or in SUN as "99.500000". */
export function formatCoins(kind: ChainKind, amount: bigint): string {
  return kind === "tron" ? formatDecimal(amount, 6) : formatDecimal(amount, 18).replace(/\.?0+$/, "");
}

type Kinds = readonly Pick<ChainSettings, "chain" | "kind">[];

/** The same on a chain of the settings; on one that left them as on Ethereum. */
export function hashOn(chains: Kinds, chain: string | null, hash: string): string {
  return formatTxHash(kindOf(chains, chain), hash);
}

/** Words in which addresses and hashes stand as tables have them, with each as people of that chain read it. */
export function wordsOn(chains: Kinds, chain: string | null, words: string): string {
  if (kindOf(chains, chain) === "evm") return words;
  return words
    .replaceAll(/\b0x[0-9a-f]{64}\b/g, (hash) => formatTxHash("tron", hash))
    .replaceAll(/\b0x[0-9a-f]{40}\b/g, (address) => formatChainAddress("tron", address));
}

function kindOf(chains: Kinds, name: string | null): ChainKind {
  return chains.find(({ chain }) => chain === name)?.kind ?? "evm";
}

/** With the capitals of EIP-55. */
export function checksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = Buffer.from(keccak_256(new TextEncoder().encode(digits))).toString("hex");
  const cased = Array.from(digits, (digit, place) =>
    Number.parseInt(hash.charAt(place), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join("")}`;
}
