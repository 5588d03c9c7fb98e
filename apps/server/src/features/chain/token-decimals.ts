import type { ChainSettings, RequestHeaders } from "../../platform/chain-settings.ts";
import { ConfigError } from "../../platform/config.ts";
import type { Log } from "../../platform/log.ts";
import { ChainAlarm } from "./chain-alarm.ts";
import { type ChainNode, openNode } from "./node.ts";

/**
 * All token amounts are handled as millionths. With another number of decimals, every amount would be worth something
 * else.
 */
const DECIMALS = 6n;
const ANSWER_MS_MAX = 5_000;

type Token = Pick<ChainSettings, "chain" | "token">;

/**
 * Throws `ChainAlarm` for a token without six decimals. The node is asked at each start and for each new instance
 * of a chain.
 */
export async function requireMillionths(node: Pick<ChainNode, "decimals">, token: Token): Promise<void> {
  const said = await node.decimals(token.token);
  if (said !== DECIMALS) throw new ChainAlarm(sentence(token, said));
}

/**
 * Refuses to start, with advice, if a configured token doesn't have six decimals. A node that doesn't answer doesn't
 * prevent the start: its chain is neither read nor paid on until it has answered.
 */
export async function refuseOtherDecimals(
  chains: readonly ChainSettings[],
  log: Log,
  open: (url: string, headers: RequestHeaders, answerMsMax: number) => Pick<ChainNode, "decimals"> = openNode,
): Promise<void> {
  await Promise.all(
    chains.map(async (settings) => {
      try {
        await requireMillionths(open(settings.url, settings.headers, ANSWER_MS_MAX), settings);
      } catch (error) {
        if (error instanceof ChainAlarm) throw new ConfigError(error.message);
        log.warn({ err: error, chain: settings.chain }, "the token's decimals cannot be asked for yet");
      }
    }),
  );
}

function sentence({ chain, token }: Token, said: bigint | null): string {
  const todo = `Name a token with six decimals as "token" of "${chain}" in CHAINS (or in CHAIN_TOKEN), or take the chain out.`;
  return said === null
    ? `No token contract answers at ${token} on the chain "${chain}". ${todo}`
    : `The token ${token} on the chain "${chain}" has ${said} decimals, and amounts are counted in six. ${todo}`;
}
