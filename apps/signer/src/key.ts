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

/** The account whose public key the server has: deposit addresses are its children. */
const DEPOSITS_PATH = "m/44'/60'/0'";
/** Pays for gas at deposit addresses alone, so that the paying wallet's nonces are its own. */
const GAS_PATH = "m/44'/60'/2'/0/0";

/** The keys that bring deposits into the paying wallet. */
export interface SweepKeys {
  readonly gas: PrivateKeyAccount;
  /** The key of a deposit address, by its child. */
  deposit(child: number): PrivateKeyAccount;
}

export function sweepKeys(seed: HDKey): SweepKeys {
  const deposits = seed.derive(DEPOSITS_PATH).deriveChild(0);
  return {
    gas: accountOf(seed.derive(GAS_PATH), GAS_PATH),
    deposit: (child) => accountOf(deposits.deriveChild(child), `${DEPOSITS_PATH}/0/${child}`),
  };
}

/** The gas wallet's address: what a sandbox funds. */
export function gasAddress(seed: HDKey): string {
  return sweepKeys(seed).gas.address.toLowerCase();
}

/** The key that pays on chains of a kind. */
export function payoutKey(seed: HDKey, kind: ChainKind = "evm"): PrivateKeyAccount {
  return accountOf(seed.derive(PAYOUT_PATHS[kind]), PAYOUT_PATHS[kind]);
}

function accountOf({ privateKey }: HDKey, path: string): PrivateKeyAccount {
  if (privateKey === null) throw new SignerProblem(`The seed gives no key for ${path}.`);
  return privateKeyToAccount(`0x${Buffer.from(privateKey).toString("hex")}`);
}

/** The seed of all its keys, from `mnemonic` in the signer's own folder. Throws `SignerProblem` without a right one. */
export function readSeed(folder: string): HDKey {
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
  return HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic));
}

/** The paying wallet's address, `0x` and small digits on TRON too: what a sandbox funds. */
export function payoutAddress(seed: HDKey, kind: ChainKind = "evm"): string {
  return payoutKey(seed, kind).address.toLowerCase();
}
