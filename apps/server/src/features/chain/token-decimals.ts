import type { ChainSettings, RequestHeaders } from "../../platform/chain-settings.ts";
import { ConfigError } from "../../platform/config.ts";
import type { Log } from "../../platform/log.ts";
import { ChainAlarm } from "./chain-alarm.ts";
import { type ChainNode, openNode } from "./node.ts";

/** Amounts of a token are taken as millionths everywhere: with another number of decimals each would be worth something else. */
const DECIMALS = 6n;
const ANSWER_MS_MAX = 5_000;

type Token = Pick<ChainSettings, "chain" | "token">;

/** Throws `ChainAlarm` for a token that does not count in millionths. Asked of the node at each start, and of each new life of a chain. */
export async function requireMillionths(node: Pick<ChainNode, "decimals">, token: Token): Promise<void> {
  const said = await node.decimals(token.token);
  if (said !== DECIMALS) throw new ChainAlarm(sentence(token, said));
}

/**
 * Refuses the start, with what to do, where a token of the settings counts in anything but millionths. A node that does not
 * answer keeps nothing from starting: its chain is neither read nor paid on before it has said so.
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
