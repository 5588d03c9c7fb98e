import { readFileSync } from "node:fs";
import { TestChainProblem } from "./binary.ts";
import { mine } from "./anvil.ts";
import { callNode, callNodeForText } from "./node-call.ts";

/** Both shapes of test USDT. The deposit token is the one in main net's shape: what works with it works with the other. */
export interface TestTokens {
  /** As on main net: `transfer` answers nothing; pause and blacklist. */
  readonly noReturn: string;
  /** OpenZeppelin's. */
  readonly standard: string;
}

/** A key of anvil's published mnemonic: whoever reads this may spend its money, which is worth nothing. */
export interface TestWallet {
  readonly address: string;
  readonly privateKey: string;
}

const DEPLOYER = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
/** Contracts made by the deployer's first two transactions have these addresses on every fresh chain. */
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

/** What `contracts/*.sol` compiled to. */
export function readArtifact(name: "NoReturnUSDT" | "TestUSDT" | "EighteenUSDT" | "FeeUSDT"): {
  readonly abi: unknown;
  readonly bytecode: string;
} {
  const file = new URL(`../compiled/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as { abi: unknown; bytecode: string };
}

/** Puts both tokens on a fresh chain and gives the stranger of them; on one that has them, nothing. */
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

/** Puts a token of 18 decimals beside them, of which the stranger has a million after the next block. Answers its address. */
export async function deployEighteen(url: string): Promise<string> {
  const token = await deploy(url, "EighteenUSDT");
  await mintTo(url, token, STRANGER.address, 10n ** 24n);
  return token;
}

/** Lets a token in main net's shape take a hundredth of each transfer from now on. */
export async function switchFeeOn(url: string, token: string): Promise<void> {
  const code = await callNodeForText(url, "eth_getCode", [await deploy(url, "FeeUSDT"), "latest"]);
  await callNode(url, "anvil_setCode", [token, code]);
}

/** Mines a block with it. */
async function deploy(url: string, name: "EighteenUSDT" | "FeeUSDT"): Promise<string> {
  const hash = await callNodeForText(url, "eth_sendTransaction", [
    { from: DEPLOYER, data: readArtifact(name).bytecode, gas: GAS },
  ]);
  await mine(url);
  const receipt = (await callNode(url, "eth_getTransactionReceipt", [hash])) as { readonly contractAddress: string };
  return receipt.contractAddress.toLowerCase();
}

/** Makes new test money; it is there after the next block. `amount` in millionths. */
export async function mintTo(url: string, token: string, to: string, amount: bigint): Promise<void> {
  // mint(address,uint256)
  await send(url, { from: DEPLOYER, to: token, data: `0x40c10f19${word(BigInt(to))}${word(amount)}`, gas: GAS });
}

/** Gives a wallet of the sandbox what it pays with, where it has less than half: tokens, and coins for the gas. */
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
