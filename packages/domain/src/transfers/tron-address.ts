import { concatBytes, equalBytes, fromHex, toHex } from "../log/bytes.ts";
import { accept, refuse, type Verdict } from "../base/refusal.ts";
import { hasFormOfAnyChain, judgeEvmAddress, type Keccak256 } from "./withdrawal.ts";

/** The kinds of chain. They differ in their addresses, their transactions, and in when transactions are final. */
export const CHAIN_KINDS = ["evm", "tron"] as const;
export type ChainKind = (typeof CHAIN_KINDS)[number];

export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** The digits of base 58 in order, without 0, O, I and l. */
const DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/** First byte of every TRON address, before its 20 bytes. It makes the address begin with T. */
const TRON_PREFIX = 0x41;
const ADDRESS_BYTES = 21;
const CHECKSUM_BYTES = 4;

/** Writes an address (`0x` and 40 digits, as in tables and TRON's JSON-RPC) in the form that people read: `T…`. */
export function formatTronAddress(address: string, sha256: Sha256): string {
  const bytes = fromHex(address.slice(2));
  if (bytes?.length !== ADDRESS_BYTES - 1) throw new Error(`${address} is no address of 20 bytes`);
  const plain = concatBytes(Uint8Array.of(TRON_PREFIX), bytes);
  return toBase58(concatBytes(plain, checksumOf(plain, sha256)));
}

/**
 * Reads a TRON address as `0x` and 40 digits. Refuses ADDRESS_OTHER_CHAIN, ADDRESS_INVALID (for truncated addresses and
 * the zero address), or ADDRESS_CHECKSUM if a character is wrong.
 */
export function judgeTronAddress(text: string, sha256: Sha256): Verdict<string> {
  if (!/^T[0-9A-Za-z]{33}$/.test(text)) {
    const isCut = /^T[1-9A-HJ-NP-Za-km-z]{20,40}$/.test(text);
    return refuse(!isCut && hasFormOfAnyChain(text) ? "ADDRESS_OTHER_CHAIN" : "ADDRESS_INVALID");
  }
  const bytes = fromBase58(text, ADDRESS_BYTES + CHECKSUM_BYTES);
  if (bytes === null) return refuse("ADDRESS_CHECKSUM");
  const plain = bytes.subarray(0, ADDRESS_BYTES);
  if (!equalBytes(bytes.subarray(ADDRESS_BYTES), checksumOf(plain, sha256))) return refuse("ADDRESS_CHECKSUM");
  if (plain[0] !== TRON_PREFIX) return refuse("ADDRESS_OTHER_CHAIN");
  const digits = toHex(plain.subarray(1));
  return /^0+$/.test(digits) ? refuse("ADDRESS_INVALID") : accept(`0x${digits}`);
}

/**
 * Reads an address of the given kind of chain, with `judgeEvmAddress` or `judgeTronAddress`, as `0x` and 40 lower-case
 * digits.
 */
export function judgeAddress(
  kind: ChainKind,
  text: string,
  { keccak256, sha256 }: { readonly keccak256: Keccak256; readonly sha256: Sha256 },
): Verdict<string> {
  return kind === "tron" ? judgeTronAddress(text, sha256) : judgeEvmAddress(text, keccak256);
}

function checksumOf(bytes: Uint8Array, sha256: Sha256): Uint8Array {
  return sha256(sha256(bytes)).subarray(0, CHECKSUM_BYTES);
}

/** Writes bytes in base 58. The first byte is never zero here, so no leading digits are lost. */
function toBase58(bytes: Uint8Array): string {
  let value = BigInt(`0x${toHex(bytes)}`);
  let text = "";
  while (value > 0n) {
    text = DIGITS.charAt(Number(value % 58n)) + text;
    value /= 58n;
  }
  return text;
}

/** Reads base 58 as `length` bytes; null for other characters, and for a number that doesn't fit. */
function fromBase58(text: string, length: number): Uint8Array | null {
  let value = 0n;
  for (const character of text) {
    const digit = DIGITS.indexOf(character);
    if (digit < 0) return null;
    value = value * 58n + BigInt(digit);
  }
  const digits = value.toString(16).padStart(length * 2, "0");
  return digits.length > length * 2 ? null : fromHex(digits);
}
