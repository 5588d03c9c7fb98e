import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { HDKey } from "@scure/bip32";
import { createHash } from "node:crypto";
import type { ChainKind } from "@fairtick/domain";

/** Derives addresses from accounts' public keys, one account for each kind of chain. No private key is involved. */
export interface AddressMaker {
  /** Returns the account for a kind of chain. Null if none is configured: then there are no deposits on such chains. */
  of(kind: ChainKind): AccountAddresses | null;
}

export interface AccountAddresses {
  /** SHA-256 of the account's public key in hexadecimal. It identifies the account that an address belongs to. */
  readonly accountHash: string;
  /**
   * Returns the address of child `0/index`, as `0x` and 40 lowercase digits. TRON's addresses are derived like those of EVM
   * chains; only their notation differs.
   */
  address(index: number): string;
}

/** Creates an address maker. Throws if a text isn't an account's public key, for example a private key. */
export function createAddressMaker(xpubs: Readonly<Record<ChainKind, string | null>>): AddressMaker {
  const accounts = {
    evm: xpubs.evm === null ? null : openAccount(xpubs.evm),
    tron: xpubs.tron === null ? null : openAccount(xpubs.tron),
  };
  return { of: (kind) => accounts[kind] };
}

function openAccount(xpub: string): AccountAddresses {
  if (!xpub.startsWith("xpub")) throw new Error("deposit addresses are made of a public key");
  const receiving = HDKey.fromExtendedKey(xpub).deriveChild(0);
  return {
    accountHash: createHash("sha256").update(xpub).digest("hex"),
    address(index) {
      const { publicKey } = receiving.deriveChild(index);
      if (publicKey === null) throw new Error("a public child has a public key");
      const point = secp256k1.Point.fromBytes(publicKey).toBytes(false);
      return `0x${Buffer.from(keccak_256(point.subarray(1)).subarray(-20)).toString("hex")}`;
    },
  };
}
