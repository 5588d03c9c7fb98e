import * as v from "valibot";
import type { SignerChain, SignerNode, SignerRules } from "./settings.ts";

/** Amounts are millionths of the token. With another number of decimals, a payment's amount would be wrong. */
const DECIMALS = 6n;
const ANSWER_MS_MAX = 5_000;

/** A word of 32 bytes, or nothing if no contract answers. Both kinds of node return this. */
const word = v.pipe(
  v.string(),
  v.regex(/^(?:[0-9a-fA-F]{64})?$/),
  v.transform((text) => (text === "" ? null : BigInt(`0x${text}`))),
);
const evmAnswer = v.object({
  result: v.pipe(
    v.string(),
    v.startsWith("0x"),
    v.transform((text) => text.slice(2)),
    word,
  ),
});
const tronAnswer = v.object({
  result: v.object({ result: v.optional(v.boolean(), false) }),
  constant_result: v.optional(v.array(word), []),
});

/**
 * Throws, with what to do, if a chain's token doesn't have six decimals according to any of the signer's own nodes, or
 * if neither a node nor a person confirms that it has.
 */
export async function refuseOtherDecimals({ chains }: Pick<SignerRules, "chains">): Promise<void> {
  await Promise.all(chains.map(refuseOther));
}

async function refuseOther(chain: SignerChain): Promise<void> {
  const where = `SIGNER_RULES: the token ${chain.token} of chain ${chain.chain}`;
  const faults: string[] = [];
  for (const node of chain.nodes) {
    const said = await readDecimals(chain, node).catch((error: unknown) => {
      faults.push(error instanceof Error ? error.message : String(error));
      return undefined;
    });
    if (said === undefined || said === DECIMALS) continue;
    const what = said === null ? "answers no decimals, so that it is no token" : `has ${said} decimals`;
    throw new Error(`${where} ${what}; payments are counted in six. Name a token with six, or take the chain out.`);
  }
  if (chain.nodes.length > faults.length || chain.decimals !== undefined) return;
  const why = faults.length === 0 ? "no node of yours is named" : `no node answers (${faults.join("; ")})`;
  throw new Error(
    `${where}: nobody says how many decimals it has, since ${why}. ` +
      'Write a node of yours beside it, "nodes":["https://…"], or, once you have looked yourself, "decimals":6.',
  );
}

/** Returns the token's decimals; null if no contract answers. Throws if the node doesn't answer. */
async function readDecimals({ kind, token }: SignerChain, node: SignerNode): Promise<bigint | null> {
  if (kind === "evm") {
    // decimals()
    const params = [{ to: token, data: "0x313ce567" }, "latest"];
    const body = { jsonrpc: "2.0", id: 1, method: "eth_call", params };
    return v.parse(evmAnswer, await post(node, body)).result;
  }
  const contract = `41${token.slice(2)}`;
  const said = v.parse(
    tronAnswer,
    await post(
      { ...node, url: `${node.url.replace(/\/$/, "")}/walletsolidity/triggerconstantcontract` },
      {
        owner_address: contract,
        contract_address: contract,
        function_selector: "decimals()",
        visible: false,
      },
    ),
  );
  return said.constant_result[0] ?? null;
}

async function post({ url, headers }: SignerNode, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
    redirect: "error",
  });
  if (!response.ok) throw new Error(`${new URL(url).host} answered ${response.status}`);
  return response.json();
}
