import { HDKey } from "@scure/bip32";
import { generateMnemonic, mnemonicToSeedSync, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChainKind } from "@fairtick/domain";
import { TestChainProblem } from "./binary.ts";

/** BIP 44 account of all members' EVM addresses; the next one is that of their TRON addresses. */
export const EVM_ACCOUNT = "m/44'/60'/0'";
const TRON_ACCOUNT = "m/44'/195'/0'";
const FILE = "mnemonic";

/**
 * Returns the public key of an account of the sandbox's seed, which is created at the first start and kept in the
 * signer's folder. The server only ever gets this key, with which it can make addresses but not spend anything.
 */
export function depositXpub(signerFolder: string, kind: ChainKind = "evm"): string {
  const file = join(signerFolder, FILE);
  if (!existsSync(file)) {
    mkdirSync(signerFolder, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${generateMnemonic(wordlist, 256)}\n`, { mode: 0o600, flag: "wx", flush: true });
  }
  const mnemonic = readFileSync(file, "utf8").trim();
  if (!validateMnemonic(mnemonic, wordlist)) {
    throw new TestChainProblem(`${file} isn't a mnemonic. Put the right one back: its addresses hold deposits.`);
  }
  return HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive(kind === "tron" ? TRON_ACCOUNT : EVM_ACCOUNT)
    .publicExtendedKey;
}
