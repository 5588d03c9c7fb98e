import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ChainKind } from "@fairtick/domain";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

/** The signer cannot start; the message says what to do. */
export class SignerProblem extends Error {
  override readonly name = "SignerProblem";
}

/** An account apart from the one whose public key the server has: no deposit address is its child. */
const PAYOUT_PATHS: Readonly<Record<ChainKind, string>> = { evm: "m/44'/60'/1'/0/0", tron: "m/44'/195'/1'/0/0" };

/** The key that pays on chains of a kind, from the seed in the signer's own folder. */
export function readPayoutKey(folder: string, kind: ChainKind = "evm"): PrivateKeyAccount {
  const file = join(folder, "mnemonic");
  let mnemonic: string;
  try {
    mnemonic = readFileSync(file, "utf8").trim();
  } catch {
    throw new SignerProblem(`${file} cannot be read. Put the seed there: the paying wallet's key comes from it.`);
  }
  if (!validateMnemonic(mnemonic, wordlist)) {
    throw new SignerProblem(`${file} is no mnemonic. Put the right one back: the paying wallet's key comes from it.`);
  }
  const { privateKey } = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive(PAYOUT_PATHS[kind]);
  if (privateKey === null) throw new SignerProblem(`${file} gives no key for ${PAYOUT_PATHS[kind]}.`);
  return privateKeyToAccount(`0x${Buffer.from(privateKey).toString("hex")}`);
}

/** The paying wallet's address, `0x` and small digits on TRON too: what a sandbox funds. */
export function payoutAddress(folder: string, kind: ChainKind = "evm"): string {
  return readPayoutKey(folder, kind).address.toLowerCase();
}
