import { formatUsdt, type MicroUsd } from "@fairtick/domain";
import type { TestChainSettings } from "../../platform/chain-settings.ts";

/** What one press of the faucet may send. */
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
    // As main net's token answers nothing, none is expected of any.
    outputs: [],
  },
] as const;

/**
 * Sends test USDT with the stranger's own key, as anybody would from a wallet of theirs: a signed transaction that the next
 * block takes. Answers its hash.
 */
export async function sendTestUsdt(chain: TestChainSettings, to: string, amount: MicroUsd): Promise<string> {
  // Only a sandbox's faucet needs it, and loading it costs more than all the rest of a start.
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

/** The wallet asks the node for its next number: two at once would take the same one. */
function inTurn<Value>(send: () => Promise<Value>): Promise<Value> {
  const sent = last.then(send, send);
  last = sent.catch(() => undefined);
  return sent;
}
