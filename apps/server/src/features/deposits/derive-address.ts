import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { HDKey } from "@scure/bip32";
import { createHash } from "node:crypto";

/** Makes addresses below an account's public key; no private key is anywhere near. */
export interface AddressMaker {
  /** SHA-256 of the account's public key, hexadecimal: which account an address is of. */
  readonly accountHash: string;
  /** Child `0/index` as an EVM address, lower case. */
  evmAddress(index: number): string;
}

/** Throws for a text that is no account's public key, a private one included. */
export function createAddressMaker(xpub: string): AddressMaker {
  if (!xpub.startsWith("xpub")) throw new Error("deposit addresses are made of a public key");
  const receiving = HDKey.fromExtendedKey(xpub).deriveChild(0);
  return {
    accountHash: createHash("sha256").update(xpub).digest("hex"),
    evmAddress(index) {
      const { publicKey } = receiving.deriveChild(index);
      if (publicKey === null) throw new Error("a public child has a public key");
      const point = secp256k1.Point.fromBytes(publicKey).toBytes(false);
      return `0x${Buffer.from(keccak_256(point.subarray(1)).subarray(-20)).toString("hex")}`;
    },
  };
}

/** With the capitals of EIP-55, which show a typing error. */
export function checksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = Buffer.from(keccak_256(new TextEncoder().encode(digits))).toString("hex");
  const cased = Array.from(digits, (digit, place) =>
    Number.parseInt(hash.charAt(place), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join("")}`;
}
