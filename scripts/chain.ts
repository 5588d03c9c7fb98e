import { join } from "node:path";
import type { Config } from "@fairtick/server";
import { gasAddress, payoutAddress, readSeed } from "@fairtick/signer/key";
import { callNode, depositXpub, fundWallet, startTestChain, type TestChain } from "@fairtick/test-chain";
import { type Keeping, keepRunning, type KeptPart, NOT_OURS, type Run } from "./keep-running.ts";

/** The contract and chain that a signer pays with. */
export interface PayableChain {
  readonly chain: string;
  readonly genesis: string;
  readonly token: string;
  /** Nodes that the signer asks for the token's decimals. */
  readonly nodes: readonly string[];
}

export interface StartedChain {
  /** Environment for the family's processes. */
  readonly environment: Readonly<Record<string, string>>;
  /** What a signer of this chain may call; null if no chain was started here. */
  readonly payable: PayableChain | null;
  /** Its address for the printed list; null if no chain was started here. */
  readonly where: string | null;
  readonly part: KeptPart;
}

const CONFIRMATIONS = 2;

/**
 * Starts the sandbox's test chain, unless the settings name one. The seed of its deposit addresses stays in the
 * signer's
 * folder: the family only gets the account's public key.
 */
export async function openChain(config: Config, { ending, say }: Keeping): Promise<StartedChain> {
  // The start that watches and pays on the chain runs it. Settings give its address to other starts of the same house.
  if (config.deployment === "live" || !config.roles.has("chain")) return nothing({});
  const folder = join(config.dataDir, "signer");
  const xpub: Record<string, string> = { DEPOSIT_XPUB: config.depositXpub ?? depositXpub(folder) };
  if (config.chains.some(({ kind }) => kind === "tron")) {
    xpub["DEPOSIT_TRON_XPUB"] = config.depositTronXpub ?? depositXpub(folder, "tron");
  }
  if (config.chains.length > 0) return nothing(xpub);
  const begin = (port: number) =>
    startTestChain({
      folder: join(config.dataDir, "chain"),
      port,
      onError: (error) => {
        console.error("The test chain got no new block:", error instanceof Error ? error.message : error);
      },
    });
  const chain = await begin(0);
  const token = chain.tokens.noReturn;
  // Like everything in a sandbox, the paying wallet's money is made up.
  const seed = readSeed(folder);
  await fundWallet(chain.url, token, payoutAddress(seed));
  await fundWallet(chain.url, token, gasAddress(seed));
  const genesis = (await callNode(chain.url, "eth_getBlockByNumber", ["0x0", false])) as { readonly hash: string };
  const settings = {
    chain: "test",
    name: "Test chain",
    url: chain.url,
    token,
    confirmations: CONFIRMATIONS,
    minimum: "5",
    sweepAbove: "1000",
    mayStartAnew: true,
  };
  const testChain = { rpc: chain.url, chainId: chain.chainId, token, wallet: chain.wallet };
  return {
    environment: { ...xpub, CHAINS: JSON.stringify([settings]), TEST_CHAIN: JSON.stringify(testChain) },
    payable: { chain: String(chain.chainId), genesis: genesis.hash, token, nodes: [chain.url] },
    where: `${chain.url}, chain ${chain.chainId}, test USDT ${token}, kept in ${join(config.dataDir, "chain")}`,
    part: keepRunning({
      name: "The test chain",
      first: runOfChain(chain),
      // Restart at the address that server and signer know, with the state saved after its last block.
      begin: async () => runOfChain(await begin(Number(new URL(chain.url).port))),
      ending,
      say,
    }),
  };
}

function runOfChain(chain: TestChain): Run {
  const ended = chain.ended.then(() => "it was killed or failed");
  return { pid: chain.pid, ready: Promise.resolve(), ended, stop: () => chain.stop() };
}

function nothing(environment: Readonly<Record<string, string>>): StartedChain {
  return {
    environment,
    payable: null,
    where: null,
    part: NOT_OURS,
  };
}
