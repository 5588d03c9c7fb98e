import { readFileSync } from "node:fs";
import { TestChainProblem } from "./binary.ts";
import { mine } from "./anvil.ts";
import { callNode, callNodeForText } from "./node-call.ts";

/**
 * Both kinds of test USDT. Deposits use the one in main net's form, because code that works with it also works with the
 * other.
 */
export interface TestTokens {
  /** As on main net: `transfer` returns nothing, and it has pause and blacklist. */
  readonly noReturn: string;
  /** OpenZeppelin's form. */
  readonly standard: string;
}

/** A wallet from anvil's published mnemonic. Anyone who reads this can spend its money, which is worth nothing. */
export interface TestWallet {
  readonly address: string;
  readonly privateKey: string;
}

const DEPLOYER = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
/** Addresses of contracts created by the deployer's first two transactions, the same on every new chain. */
const TOKENS: TestTokens = {
  noReturn: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
  standard: "0xe7f1725e7734ce288f8367e1bb143e90bb3f0512",
};
export const STRANGER: TestWallet = {
  address: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
  privateKey: "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
};
/** 1,000,000,000.000000 */
const STRANGER_START = 1_000_000_000_000_000n;
const GAS = "0x2dc6c0";
/** 1,000,000.000000 and 1,000 coins. */
const WALLET_TOKENS = 1_000_000_000_000n;
const WALLET_COINS = 1_000_000_000_000_000_000_000n;

/** Reads a compiled contract of `contracts/*.sol`. */
export function readArtifact(name: "NoReturnUSDT" | "TestUSDT" | "EighteenUSDT" | "FeeUSDT"): {
  readonly abi: unknown;
  readonly bytecode: string;
} {
  const file = new URL(`../compiled/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as { abi: unknown; bytecode: string };
}

/**
 * Deploys both tokens on a new chain and gives the stranger some of each. Does nothing if the chain has them already.
 */
export async function deployTokens(url: string): Promise<TestTokens> {
  const code = await callNodeForText(url, "eth_getCode", [TOKENS.noReturn, "latest"]);
  if (code !== "0x") return TOKENS;
  for (const name of ["NoReturnUSDT", "TestUSDT"] as const) {
    await send(url, { from: DEPLOYER, data: readArtifact(name).bytecode, gas: GAS });
  }
  for (const token of [TOKENS.noReturn, TOKENS.standard]) await mintTo(url, token, STRANGER.address, STRANGER_START);
  await mine(url);
  for (const token of [TOKENS.noReturn, TOKENS.standard]) {
    const code = await callNodeForText(url, "eth_getCode", [token, "latest"]);
    if (code === "0x") throw new TestChainProblem(`The test token was not deployed at ${token}.`);
  }
  return TOKENS;
}

/**
 * Deploys another token with 18 decimals, of which the stranger gets a million with the next block. Returns its
 * address.
 */
export async function deployEighteen(url: string): Promise<string> {
  const token = await deploy(url, "EighteenUSDT");
  await mintTo(url, token, STRANGER.address, 10n ** 24n);
  return token;
}

/** Makes a token in main net's form charge a hundredth of each transfer from now on. */
export async function switchFeeOn(url: string, token: string): Promise<void> {
  const code = await callNodeForText(url, "eth_getCode", [await deploy(url, "FeeUSDT"), "latest"]);
  await callNode(url, "anvil_setCode", [token, code]);
}

/** Deploys a contract and mines a block with it. Returns its address. */
async function deploy(url: string, name: "EighteenUSDT" | "FeeUSDT"): Promise<string> {
  const hash = await callNodeForText(url, "eth_sendTransaction", [
    { from: DEPLOYER, data: readArtifact(name).bytecode, gas: GAS },
  ]);
  await mine(url);
  const receipt = (await callNode(url, "eth_getTransactionReceipt", [hash])) as { readonly contractAddress: string };
  return receipt.contractAddress.toLowerCase();
}

/** Mints test money, available after the next block. `amount` is in millionths. */
export async function mintTo(url: string, token: string, to: string, amount: bigint): Promise<void> {
  // mint(address,uint256)
  await send(url, { from: DEPLOYER, to: token, data: `0x40c10f19${word(BigInt(to))}${word(amount)}`, gas: GAS });
}

/** Tops up a sandbox wallet with tokens if it has less than half of its amount, and with coins for gas. */
export async function fundWallet(url: string, token: string, address: string): Promise<void> {
  // balanceOf(address)
  const data = `0x70a08231${word(BigInt(address))}`;
  const balance = BigInt(await callNodeForText(url, "eth_call", [{ to: token, data }, "latest"]));
  if (balance < WALLET_TOKENS / 2n) await mintTo(url, token, address, WALLET_TOKENS - balance);
  await callNode(url, "anvil_setBalance", [address, `0x${WALLET_COINS.toString(16)}`]);
}

async function send(url: string, transaction: Readonly<Record<string, string>>): Promise<void> {
  await callNode(url, "eth_sendTransaction", [transaction]);
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}
