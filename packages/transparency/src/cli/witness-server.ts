import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { equalBytes, type Hashes, isLoopbackHost } from "@fairtick/domain";
import { POSTING_BYTES_MAX } from "../board.ts";
import { cosign } from "../cosignature.ts";
import { formatVerifierKey, type VerifierKey } from "../keys.ts";
import { signTimeless } from "../timeless-signature.ts";
import { decideAddCheckpoint, formatCosignatures, WITNESS_SIZE_TYPE, type WitnessDecision } from "../witness.ts";
import type { WitnessBoard } from "./witness-board.ts";
import type { WitnessStore } from "./witness-store.ts";

export interface WitnessParts {
  readonly hashes: Hashes;
  readonly store: WitnessStore;
  /** Keys of the logs that are watched; a log may have several while its keys rotate. */
  readonly logKeys: readonly VerifierKey[];
  /** Where reveals are posted and read; left out where this witness keeps none. */
  readonly board?: WitnessBoard;
  /** Seconds since 1970 UTC. */
  readonly seconds: () => bigint;
  /** Names that it answers to, besides the loopback and the address that a connection came in on. */
  readonly allowedHosts?: readonly string[];
  /** How long headers and a whole request may take; 30 s unless a test is shorter. */
  readonly timeoutMs?: number;
  /** Told of every refusal that means a fork or a rollback. */
  readonly onRefusal?: (origin: string, status: number) => void;
}

/** A request is a checkpoint and at most 63 hashes. */
const BODY_BYTES_MAX = 64 * 1024;
/** A log asks from one connection. Whoever opens thousands and says nothing takes no descriptors from the store. */
const SOCKETS_MAX = 512;
const TIMEOUT_MS = 30_000;
const TEXT = "text/plain; charset=utf-8";

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * `POST /add-checkpoint` of c2sp.org/tlog-witness, `GET /` that names its key, and its board: `POST /reveal`, `GET /board/<number>`.
 * Not yet listening.
 */
export function createWitnessServer(parts: WitnessParts): Server {
  const { hashes, store, seconds } = parts;
  const origins = [...new Set(parts.logKeys.map((key) => key.name))];
  const logs = origins.map((origin) => ({ origin, logKeys: parts.logKeys.filter((key) => key.name === origin) }));
  let last: Promise<unknown> = Promise.resolve();

  async function decide(body: string): Promise<Answer> {
    const decision = decideAddCheckpoint(hashes, body, logs, (origin) => store.stateOf(origin));
    if (decision.status !== 200) return refusal(decision, body);
    const { origin, state, text } = decision;
    const before = store.stateOf(origin);
    const isNew = before === null || before.size !== state.size || !equalBytes(before.root, state.root);
    if (isNew) await store.store(origin, state);
    const signatures = [cosign(text, seconds(), store.key), signTimeless(text, store.key)];
    return { status: 200, type: TEXT, body: formatCosignatures(signatures) };
  }

  function refusal(decision: Exclude<WitnessDecision, { status: 200 }>, body: string): Answer {
    const { status } = decision;
    if (status === 409 && decision.size !== null) {
      return { status, type: WITNESS_SIZE_TYPE, body: `${decision.size}\n` };
    }
    const origin = body.slice(body.indexOf("\n\n") + 2).split("\n")[0] ?? "";
    if (status === 409 || status === 422) parts.onRefusal?.(origin, status);
    return { status, type: TEXT, body: `${REASONS[status]}\n` };
  }

  function isNamed(request: IncomingMessage): boolean {
    const { host } = request.headers;
    if (isLoopbackHost(host)) return true;
    const name = (host ?? "")
      .replace(/:\d+$/, "")
      .replace(/^\[|\]$/g, "")
      .toLowerCase();
    const own = (request.socket.localAddress ?? "").replace(/^::ffff:(?=\d+\.)/, "");
    return name !== "" && (name === own || (parts.allowedHosts ?? []).includes(name));
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    if (!isNamed(request)) return { status: 421, type: TEXT, body: "name this host by --allowed-host\n" };
    if (request.method === "GET" && request.url === "/") {
      return { status: 200, type: TEXT, body: `${formatVerifierKey(store.key.verifier)}\n` };
    }
    if (request.url === "/reveal" || request.url?.startsWith("/board/") === true) return answerBoard(request);
    if (request.url !== "/add-checkpoint") return { status: 404, type: TEXT, body: "no such page\n" };
    if (request.method !== "POST") return { status: 405, type: TEXT, body: "POST it\n" };
    const body = await readBody(request, BODY_BYTES_MAX);
    if (body === null) return { status: 413, type: TEXT, body: "too long\n" };
    // One at a time: reading the state, storing the new one and cosigning are one step.
    const mine = last.then(() => decide(body));
    last = mine.catch(() => undefined);
    return mine;
  }

  async function answerBoard(request: IncomingMessage): Promise<Answer> {
    if (parts.board === undefined) return { status: 404, type: TEXT, body: "no board is kept here\n" };
    const { method, url = "" } = request;
    if (method === "POST" && url === "/reveal") {
      const body = await readBody(request, POSTING_BYTES_MAX);
      if (body === null) return { status: 413, type: TEXT, body: "too long\n" };
      const { status, text } = await parts.board.post(body);
      return { status, type: TEXT, body: `${text}\n` };
    }
    const from = /^\/board\/(0|[1-9][0-9]{0,14})$/.exec(url)?.[1];
    if (method !== "GET" || from === undefined) return { status: 404, type: TEXT, body: "no such page\n" };
    const lines = parts.board.lines(Number(from));
    return { status: 200, type: TEXT, body: lines.map((line) => `${line}\n`).join("") };
  }

  const timeoutMs = parts.timeoutMs ?? TIMEOUT_MS;
  const deadlines = {
    headersTimeout: timeoutMs,
    requestTimeout: timeoutMs,
    connectionsCheckingInterval: Math.min(5_000, timeoutMs),
  };
  const server = createServer(deadlines, (request: IncomingMessage, response: ServerResponse) => {
    void answer(request)
      .catch((): Answer => ({ status: 500, type: TEXT, body: "the state could not be stored\n" }))
      .then(({ status, type, body }) => {
        // Members' pages post and read here, from other origins.
        const headers = { "content-type": type, "cache-control": "no-store", "access-control-allow-origin": "*" };
        response.writeHead(status, headers).end(body);
      });
  });
  server.maxConnections = SOCKETS_MAX;
  return server;
}

const REASONS = {
  400: "this is no add-checkpoint request",
  403: "not signed by the log",
  404: "this log is not watched here",
  409: "another tree of this size was cosigned",
  422: "it does not grow out of what was cosigned",
} as const;

async function readBody(request: IncomingMessage, bytesMax: number): Promise<string | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > bytesMax) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
