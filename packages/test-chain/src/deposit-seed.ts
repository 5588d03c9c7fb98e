import { HDKey } from "@scure/bip32";
import { generateMnemonic, mnemonicToSeedSync, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChainKind } from "@fairtick/domain";
import { TestChainProblem } from "./binary.ts";

/** The account below which every EVM address of a member lies (BIP 44), and every one on TRON. */
export const EVM_ACCOUNT = "m/44'/60'/0'";
const TRON_ACCOUNT = "m/44'/195'/0'";
const FILE = "mnemonic";

/**
 * The sandbox's seed, made at the first start and kept in a folder that is the signer's; answers the account's public
 * key alone. That is all the server ever gets: with it addresses are made, and nothing is spent.
 */
export function depositXpub(signerFolder: string, kind: ChainKind = "evm"): string {
  const file = join(signerFolder, FILE);
  if (!existsSync(file)) {
    mkdirSync(signerFolder, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${generateMnemonic(wordlist, 256)}\n`, { mode: 0o600, flag: "wx", flush: true });
  }
  const mnemonic = readFileSync(file, "utf8").trim();
  if (!validateMnemonic(mnemonic, wordlist)) {
    throw new TestChainProblem(`${file} is no mnemonic. Put the right one back: deposits lie at addresses of it.`);
  }
  return HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive(kind === "tron" ? TRON_ACCOUNT : EVM_ACCOUNT)
    .publicExtendedKey;
}
