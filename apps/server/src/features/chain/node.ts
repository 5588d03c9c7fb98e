import * as v from "valibot";
import type { RequestHeaders } from "../../platform/chain-settings.ts";

/** Thrown if a node answered with an error, or with something that doesn't fit the request. */
export class NodeProblem extends Error {
  override readonly name = "NodeProblem";
}

export const quantity = v.pipe(
  v.string(),
  v.regex(/^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/),
  v.transform((text) => BigInt(text)),
);
export const hash = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{64}$/), v.toLowerCase());
const address = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{40}$/), v.toLowerCase());
const block = v.object({ number: quantity, hash, parentHash: hash });
const log = v.object({
  address,
  topics: v.pipe(v.array(hash), v.maxLength(4)),
  data: v.pipe(v.string(), v.regex(/^0x(?:[0-9a-fA-F]{2})*$/)),
  blockNumber: quantity,
  blockHash: hash,
  transactionHash: hash,
  logIndex: quantity,
});
const receipt = v.object({
  transactionHash: hash,
  blockNumber: quantity,
  blockHash: hash,
  status: quantity,
  logs: v.array(log),
});
/** A number returned by a contract; `0x` if there is no such contract or it doesn't have that function. */
const numberOrNothing = v.pipe(
  v.string(),
  v.regex(/^0x(?:[0-9a-fA-F]{64})?$/),
  v.transform((text) => (text === "0x" ? null : BigInt(text))),
);
const answer = v.union([v.object({ error: v.object({ message: v.string() }) }), v.object({ result: v.unknown() })]);

export type ChainBlock = v.InferOutput<typeof block>;
export type ChainLog = v.InferOutput<typeof log>;
export type ChainReceipt = v.InferOutput<typeof receipt>;

export interface LogFilter {
  /** Address of the contract; logs of any contract if left out. */
  readonly address?: string;
  /** For each position a topic, several alternatives, or null for any. */
  readonly topics: readonly (string | readonly string[] | null)[];
}
export type LogRange = { readonly blockHash: string } | { readonly from: bigint; readonly to: bigint };

/** What the watcher asks of a node. Every method throws if the node can't be reached or its answer is invalid. */
export interface ChainNode {
  chainId(): Promise<bigint>;
  /** Reads a block; null if the node doesn't have it yet. */
  block(which: bigint | "latest" | "finalized"): Promise<ChainBlock | null>;
  logs(range: LogRange, filter: LogFilter): Promise<readonly ChainLog[]>;
  /** Reads a transaction's receipt; null if it isn't mined as far as the node knows. */
  receipt(txHash: string): Promise<ChainReceipt | null>;
  balance(address: string): Promise<bigint>;
  /** Reads the token's number of decimals; null if no contract answers. */
  decimals(token: string): Promise<bigint | null>;
}

const ANSWER_MS_MAX = 10_000;
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;

/** Asks a node. The answer is used only if it fits `schema`. */
export type AskNode = <Schema extends v.GenericSchema>(
  schema: Schema,
  method: string,
  params: readonly unknown[],
) => Promise<v.InferOutput<Schema>>;

/** Asks a node over JSON-RPC. Every answer is validated before it is used. */
export function askingNode(url: string, headers: RequestHeaders = {}, answerMsMax = ANSWER_MS_MAX): AskNode {
  let id = 0;
  return async (schema, method, params) => {
    id += 1;
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
      signal: AbortSignal.timeout(answerMsMax),
      redirect: "error",
    });
    const said = v.safeParse(answer, JSON.parse(await readText(response, method)));
    if (!said.success) throw new NodeProblem(`${method}: the answer is no JSON-RPC`);
    if ("error" in said.output) throw new NodeProblem(`${method}: ${said.output.error.message.slice(0, 200)}`);
    const read = v.safeParse(schema, said.output.result);
    if (!read.success) throw new NodeProblem(`${method}: the answer has not the form it should have`);
    return read.output;
  };
}

export function openNode(url: string, headers: RequestHeaders = {}, answerMsMax = ANSWER_MS_MAX): ChainNode {
  const ask = askingNode(url, headers, answerMsMax);
  return {
    chainId: () => ask(quantity, "eth_chainId", []),
    async block(which) {
      const found = await ask(v.nullable(block), "eth_getBlockByNumber", [text(which), false]);
      if (found !== null && typeof which === "bigint" && found.number !== which) {
        throw new NodeProblem("eth_getBlockByNumber: another block was answered");
      }
      return found;
    },
    async logs(range, filter) {
      const where =
        "blockHash" in range
          ? { blockHash: range.blockHash }
          : { fromBlock: text(range.from), toBlock: text(range.to) };
      const found = await ask(v.array(log), "eth_getLogs", [{ ...where, ...filter }]);
      const outside = found.some((one) =>
        "blockHash" in range
          ? one.blockHash !== range.blockHash
          : one.blockNumber < range.from || one.blockNumber > range.to,
      );
      if (outside) throw new NodeProblem("eth_getLogs: logs of other blocks were answered");
      return found;
    },
    async receipt(txHash) {
      const found = await ask(v.nullable(receipt), "eth_getTransactionReceipt", [txHash]);
      if (found !== null && found.transactionHash !== txHash) {
        throw new NodeProblem("eth_getTransactionReceipt: another transaction was answered");
      }
      return found;
    },
    balance: (owner) => ask(quantity, "eth_getBalance", [owner, "latest"]),
    // 0x313ce567 is the selector of `decimals()`.
    decimals: (token) => ask(numberOrNothing, "eth_call", [{ to: token, data: "0x313ce567" }, "latest"]),
  };
}

function text(which: bigint | string): string {
  return typeof which === "bigint" ? `0x${which.toString(16)}` : which;
}

/** Reads the body unless it is longer than any honest answer. */
async function readText(response: Response, method: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    const part = chunk as Uint8Array;
    bytes += part.byteLength;
    if (bytes > ANSWER_BYTES_MAX) throw new NodeProblem(`${method}: the answer is too long`);
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString("utf8");
}
