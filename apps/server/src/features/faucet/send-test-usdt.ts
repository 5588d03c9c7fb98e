import { formatUsdt, type MicroUsd } from "@fairtick/domain";
import type { TestChainSettings } from "../../platform/chain-settings.ts";

/** The most that the faucet sends at once. */
export const FAUCET_MAX = 100_000_000_000n as MicroUsd;

const TRANSFER = [
  {
    type: "function",
    name: "transfer",
    stateMutability: "nonpayable",
    inputs: [
      { name: "to", type: "address" },
      { name: "value", type: "uint256" },
    ],
    // No return value is expected, because main net's USDT returns none.
    outputs: [],
  },
] as const;

/**
 * Sends test USDT from the test wallet, as anyone would from their own: by a signed transaction that the next block includes.
 * Returns its hash.
 */
export async function sendTestUsdt(chain: TestChainSettings, to: string, amount: MicroUsd): Promise<string> {
  // Loaded here because only a sandbox's faucet needs it, and it takes longer to load than everything else at the start.
  const { createWalletClient, encodeFunctionData, http } = await import("viem");
  const { privateKeyToAccount } = await import("viem/accounts");
  const { foundry } = await import("viem/chains");
  const account = privateKeyToAccount(chain.wallet.privateKey as `0x${string}`);
  const wallet = createWalletClient({
    account,
    chain: { ...foundry, id: chain.chainId as 31337 },
    transport: http(chain.rpc),
  });
  if (amount <= 0n || amount > FAUCET_MAX) throw new RangeError(`not an amount to send: ${formatUsdt(amount)}`);
  const data = encodeFunctionData({ abi: TRANSFER, functionName: "transfer", args: [to as `0x${string}`, amount] });
  return inTurn(() => wallet.sendTransaction({ to: chain.token as `0x${string}`, data }));
}

let last: Promise<unknown> = Promise.resolve();

/** Sends one transaction after another. The wallet asks the node for its next nonce, so two at once would use the same. */
function inTurn<Value>(send: () => Promise<Value>): Promise<Value> {
  const sent = last.then(send, send);
  last = sent.catch(() => undefined);
  return sent;
}
