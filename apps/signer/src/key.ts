import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ChainKind } from "@fairtick/domain";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

/** A reason why the signer can't start. The message says what to do. */
export class SignerProblem extends Error {
  override readonly name = "SignerProblem";
}

/**
 * Paths of the paying accounts. They are separate from the account whose public key the server has, so no deposit
 * address is a child of theirs.
 */
const PAYOUT_PATHS: Readonly<Record<ChainKind, string>> = { evm: "m/44'/60'/1'/0/0", tron: "m/44'/195'/1'/0/0" };

/** Path of the account whose public key the server has. Deposit addresses are its children. */
const DEPOSITS_PATH = "m/44'/60'/0'";
/**
 * Path of the wallet that only pays for gas at deposit addresses, so that all nonces of the paying wallet belong to
 * payments.
 */
const GAS_PATH = "m/44'/60'/2'/0/0";

/** The keys that move deposits to the paying wallet. */
export interface SweepKeys {
  readonly gas: PrivateKeyAccount;
  /** Returns the key of the deposit address with this child index. */
  deposit(child: number): PrivateKeyAccount;
}

export function sweepKeys(seed: HDKey): SweepKeys {
  const deposits = seed.derive(DEPOSITS_PATH).deriveChild(0);
  return {
    gas: accountOf(seed.derive(GAS_PATH), GAS_PATH),
    deposit: (child) => accountOf(deposits.deriveChild(child), `${DEPOSITS_PATH}/0/${child}`),
  };
}

/** Returns the address of the gas wallet, which a sandbox funds. */
export function gasAddress(seed: HDKey): string {
  return sweepKeys(seed).gas.address.toLowerCase();
}

/** Returns the key that pays on chains of a kind. */
export function payoutKey(seed: HDKey, kind: ChainKind = "evm"): PrivateKeyAccount {
  return accountOf(seed.derive(PAYOUT_PATHS[kind]), PAYOUT_PATHS[kind]);
}

function accountOf({ privateKey }: HDKey, path: string): PrivateKeyAccount {
  if (privateKey === null) throw new SignerProblem(`The seed gives no key for ${path}.`);
  return privateKeyToAccount(`0x${Buffer.from(privateKey).toString("hex")}`);
}

/**
 * Reads the seed of all keys from `mnemonic` in the signer's own folder. Throws `SignerProblem` if it is missing or
 * invalid.
 */
export function readSeed(folder: string): HDKey {
  const file = join(folder, "mnemonic");
  let mnemonic: string;
  try {
    mnemonic = readFileSync(file, "utf8").trim();
  } catch {
    throw new SignerProblem(`${file} cannot be read. Put the seed there: the paying wallet's key comes from it.`);
  }
  if (!validateMnemonic(mnemonic, wordlist)) {
    throw new SignerProblem(`${file} isn't a mnemonic. Put the right one back: the paying wallet's key comes from it.`);
  }
  return HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic));
}

/** Returns the paying wallet's address, which a sandbox funds: `0x` and lower-case digits, also on TRON. */
export function payoutAddress(seed: HDKey, kind: ChainKind = "evm"): string {
  return payoutKey(seed, kind).address.toLowerCase();
}
