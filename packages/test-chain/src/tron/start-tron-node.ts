import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { encodeTokenTransfer, encodeTronCall, isLoopbackHost, tronBlockReference } from "@fairtick/domain";
import { type Hex, hexToBytes } from "viem";
import { sign } from "viem/accounts";
import { STRANGER } from "../tokens.ts";
import { COIN, createTronChain, type TronChain, type TronTransaction } from "./tron-chain.ts";
import { RpcError, tronJsonRpc, type TronView } from "./tron-json-rpc.ts";
import { TRON_OTHER_TOKEN, TRON_TOKEN } from "./tron-tokens.ts";
import { tronWalletCalls } from "./tron-wallet-calls.ts";

const STRANGER_TOKENS = 1_000_000_000_000_000n;
/** 1,000,000 TRX. */
const COINS = 1_000_000_000_000n;
const EXPIRES_MS = 60_000n;
const SOCKETS_MAX = 256;

export interface TronNodeOptions {
  readonly port?: number;
  readonly solidifiedBehind?: number;
  readonly life?: number;
  /** Makes the node answer 401 to every request without this value in `TRON-PRO-API-KEY`, as a provider's node does. */
  readonly apiKey?: string;
}

/**
 * A TRON node in this process: `/jsonrpc` and the wallet's calls, on blocks in memory. It checks ids and signatures,
 * and can lag, deny, swallow, reorganise and let time pass. It adds a block when told to.
 */
export interface TronNode {
  /** Such as `http://127.0.0.1:port`. */
  readonly url: string;
  readonly chain: TronChain;
  readonly genesis: string;
  readonly chainId: bigint;
  /** Number of blocks by which it lags behind. */
  lag: number;
  /** Whether it reports that it accepted a transaction, but drops it. */
  swallowing: boolean;
  /** Ids of transactions that it claims not to know. */
  readonly denied: Set<string>;
  /** Replaces the answers of a method or path. A function that throws answers with an error. */
  readonly instead: Map<string, (given: unknown) => unknown>;
  /** Signs and broadcasts a stranger's transfer, which is in the next block. Returns its id. */
  send(to: string, units: bigint, token?: string): Promise<string>;
  sendMany(to: readonly string[], units: readonly bigint[]): Promise<string>;
  stop(): Promise<void>;
}

export async function startTronNode(options: TronNodeOptions = {}): Promise<TronNode> {
  const { port = 0, solidifiedBehind = 18, life = 1, apiKey } = options;
  const chain = createTronChain({
    tokens: [TRON_TOKEN, TRON_OTHER_TOKEN],
    solidifiedBehind,
    now: () => Date.now(),
    life,
  });
  for (const token of [TRON_TOKEN, TRON_OTHER_TOKEN]) chain.give(token, STRANGER.address, STRANGER_TOKENS);
  chain.give(COIN, STRANGER.address, COINS);
  chain.mine();
  const behaviour = {
    lag: 0,
    swallowing: false,
    denied: new Set<string>(),
    instead: new Map<string, (given: unknown) => unknown>(),
  };
  const lagged = (height: number) => chain.blocks[Math.max(0, height - behaviour.lag)] ?? chain.head();
  const view: TronView & { readonly isSwallowing: () => boolean } = {
    chain,
    head: () => lagged(chain.head().height),
    finalized: () => lagged(chain.solidified().height),
    isDenied: (id) => behaviour.denied.has(id),
    isSwallowing: () => behaviour.swallowing,
  };
  const methods = tronJsonRpc(view);
  const calls = tronWalletCalls(view);

  async function answer(request: IncomingMessage): Promise<unknown> {
    const text = await readText(request);
    const path = request.url ?? "";
    if (path !== "/jsonrpc") {
      const body: unknown = JSON.parse(text === "" ? "{}" : text);
      const call = behaviour.instead.get(path) ?? calls[path];
      return call === undefined ? { Error: "no such call" } : call(body);
    }
    const { id, method, params } = JSON.parse(text) as { id: unknown; method: string; params: readonly unknown[] };
    try {
      const found = behaviour.instead.get(method) ?? methods[method];
      if (found === undefined) throw new RpcError(-32601, `the method ${method} does not exist/is not available`);
      return { jsonrpc: "2.0", id, result: await found(params) };
    } catch (error) {
      const code = error instanceof RpcError ? error.code : -32000;
      return { jsonrpc: "2.0", id, error: { code, message: error instanceof Error ? error.message : "", data: "{}" } };
    }
  }

  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000 }, (request, response) => {
    const { host, origin, "sec-fetch-site": page } = request.headers;
    if (!isLoopbackHost(host) || origin !== undefined || page !== undefined) {
      request.resume();
      response.writeHead(isLoopbackHost(host) ? 403 : 421).end();
      return;
    }
    if (apiKey !== undefined && request.headers["tron-pro-api-key"] !== apiKey) {
      request.resume();
      response.writeHead(401).end();
      return;
    }
    answer(request).then(
      (body) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body)),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = SOCKETS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the TRON node has no port");

  async function call(contract: string, data: Uint8Array): Promise<string> {
    const head = chain.head();
    const unsigned = {
      owner: STRANGER.address,
      contract,
      data,
      feeLimit: 100_000_000n,
      ...tronBlockReference({ height: BigInt(head.height), hash: head.hash }),
      expiration: BigInt(head.time) + EXPIRES_MS,
      // Two identical transfers in one block differ only by their timestamps.
      timestamp: BigInt(head.time) + BigInt(chain.pool.size),
    };
    const raw = encodeTronCall(unsigned);
    const id: Hex = `0x${createHash("sha256").update(raw).digest("hex")}`;
    const signature = hexToBytes(await sign({ hash: id, privateKey: STRANGER.privateKey as Hex, to: "hex" }));
    const transaction: TronTransaction = { id, raw, call: unsigned, signature };
    const wrong = chain.judge(transaction);
    if (wrong !== null) throw new Error(wrong);
    chain.offer(transaction);
    return id;
  }

  const word = (value: bigint) => value.toString(16).padStart(64, "0");
  return Object.assign(behaviour, {
    url: `http://127.0.0.1:${address.port}`,
    chain,
    genesis: chain.blocks[0]?.hash ?? "",
    chainId: BigInt(`0x${chain.blocks[0]?.hash.slice(-8) ?? "0"}`),
    send: (to: string, units: bigint, token = TRON_TOKEN) => call(token, encodeTokenTransfer(to, units)),
    sendMany(to: readonly string[], units: readonly bigint[]) {
      const list = (values: readonly bigint[]) => word(BigInt(values.length)) + values.map(word).join("");
      const first = list(to.map(BigInt));
      const data = `b7fc6612${word(64n)}${word(64n + BigInt(first.length / 2))}${first}${list(units)}`;
      return call(TRON_TOKEN, new Uint8Array(Buffer.from(data, "hex")));
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
