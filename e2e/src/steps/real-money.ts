import { depositAddress } from "@fairtick/protocol";
import {
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hex,
  http,
  parseAbi,
  parseAbiItem,
  parseUnits,
} from "viem";
import { expect } from "./journey.ts";
import { type Member, productUrl, summaryOf, valueOf } from "./members.ts";

interface DevChain {
  readonly rpc: string;
  readonly token: Hex;
  readonly wallet: { readonly address: Hex };
}

async function devChain(): Promise<DevChain> {
  return (await (await fetch(`${productUrl()}/dev/chain`)).json()) as DevChain;
}

async function sendTransaction(rpc: string, transaction: Readonly<Record<string, string>>): Promise<void> {
  const response = await fetch(rpc, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_sendTransaction", params: [transaction] }),
  });
  const answer = (await response.json()) as { readonly error?: { readonly message: string } };
  if (answer.error) throw new Error(answer.error.message);
}

/** Deposits test USDT from the stranger's wallet by a real transaction, and waits until it is credited. */
export async function giveReal(member: Member, amount: string): Promise<void> {
  const { rpc, token, wallet } = await devChain();
  const { address } = valueOf(await member.client.call(depositAddress, { chain: "test" }));
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: "transfer",
    args: [address as Hex, parseUnits(amount, 6)],
  });
  await sendTransaction(rpc, { from: wallet.address, to: token, data, gas: "0x30000" });
  const wanted = `${amount}.00`;
  await expect.poll(async () => (await summaryOf(member, "real")).available, { timeout: 120_000 }).toBe(wanted);
}

const DEPLOYER: Hex = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

/** Sends 30 of the sandbox chain's other test token, which isn't accepted for deposits. */
export async function sendAnotherToken(address: string): Promise<void> {
  const { rpc, token } = await devChain();
  const other = [0n, 1n]
    .map((nonce) => getContractAddress({ from: DEPLOYER, nonce }).toLowerCase())
    .find((made) => made !== token.toLowerCase());
  if (other === undefined) throw new Error("the sandbox chain has two tokens");
  const data = encodeFunctionData({
    abi: parseAbi(["function mint(address to, uint256 amount)"]),
    functionName: "mint",
    args: [address as Hex, parseUnits("30", 6)],
  });
  await sendTransaction(rpc, { from: DEPLOYER, to: other, data, gas: "0x30000" });
}

/** Returns an address that nobody has ever used. */
export function newWallet(): Hex {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  return `0x${Buffer.from(bytes).toString("hex")}`;
}

/** Returns every transfer of the token to an address, read from the chain without the product. */
export async function transfersTo(
  address: Hex,
): Promise<readonly { readonly txHash: string; readonly units: bigint }[]> {
  const { rpc, token } = await devChain();
  const client = createPublicClient({ transport: http(rpc) });
  const logs = await client.getLogs({
    address: token,
    event: parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)"),
    args: { to: address },
    fromBlock: 0n,
  });
  const balance = await client.readContract({
    address: token,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [address],
  });
  const units = logs.map(({ args }) => args.value ?? 0n);
  if (units.reduce((sum, one) => sum + one, 0n) !== balance) throw new Error("logs and balance differ");
  return logs.map(({ transactionHash }, place) => ({ txHash: transactionHash, units: units[place] ?? 0n }));
}
