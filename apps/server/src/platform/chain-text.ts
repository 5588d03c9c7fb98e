import { type ChainKind, formatDecimal, formatTronAddress } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { keccak_256 } from "@noble/hashes/sha3.js";
import type { ChainSettings } from "./chain-settings.ts";

/** Formats an address in its chain's notation: with the capitals of EIP-55, or as TRON's `T…`. Both reveal typing errors. */
export function formatChainAddress(kind: ChainKind, address: string): string {
  return kind === "tron" ? formatTronAddress(address, (bytes) => nodeHashes.sha256(bytes)) : checksumAddress(address);
}

/** Formats a transaction's hash as the chain's explorers do: on TRON without `0x`. */
export function formatTxHash(kind: ChainKind, hash: string): string {
  return kind === "tron" ? hash.replace(/^0x/, "") : hash;
}

/** Formats an amount of the coins that pay a chain's fees: wei as "0.05", SUN as "99.500000". */
export function formatCoins(kind: ChainKind, amount: bigint): string {
  return kind === "tron" ? formatDecimal(amount, 6) : formatDecimal(amount, 18).replace(/\.?0+$/, "");
}

type Kinds = readonly Pick<ChainSettings, "chain" | "kind">[];

/** Formats a hash for a chain of the settings. A chain that is no longer in the settings is treated like Ethereum. */
export function hashOn(chains: Kinds, chain: string | null, hash: string): string {
  return formatTxHash(kindOf(chains, chain), hash);
}

/** Replaces addresses and hashes within a text by those in the chain's notation. */
export function wordsOn(chains: Kinds, chain: string | null, words: string): string {
  if (kindOf(chains, chain) === "evm") return words;
  return words
    .replaceAll(/\b0x[0-9a-f]{64}\b/g, (hash) => formatTxHash("tron", hash))
    .replaceAll(/\b0x[0-9a-f]{40}\b/g, (address) => formatChainAddress("tron", address));
}

function kindOf(chains: Kinds, name: string | null): ChainKind {
  return chains.find(({ chain }) => chain === name)?.kind ?? "evm";
}

/** Formats an address with the capitals of EIP-55. */
export function checksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = Buffer.from(keccak_256(new TextEncoder().encode(digits))).toString("hex");
  const cased = Array.from(digits, (digit, place) =>
    Number.parseInt(hash.charAt(place), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join("")}`;
}
