import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { equalBytes, type Hashes, isLoopbackHost } from "@fairtick/domain";
import { POSTING_BYTES_MAX } from "../board.ts";
import { NO_BOARD } from "../board-page.ts";
import { cosign } from "../cosignature.ts";
import { formatVerifierKey, type VerifierKey } from "../keys.ts";
import { signTimeless } from "../timeless-signature.ts";
import { decideAddCheckpoint, formatCosignatures, WITNESS_SIZE_TYPE, type WitnessDecision } from "../witness.ts";
import { ROTATIONS_BYTES_MAX } from "./acceptance-keys.ts";
import type { WitnessBoard } from "./witness-board.ts";
import type { WitnessStore } from "./witness-store.ts";

export interface WitnessParts {
  readonly hashes: Hashes;
  readonly store: WitnessStore;
  /** Keys of the watched logs; a log can have several while its keys rotate. */
  readonly logKeys: readonly VerifierKey[];
  /** Board that reveals are posted on; left out if this witness keeps none. */
  readonly board?: WitnessBoard;
  /** Seconds since 1970 UTC. */
  readonly seconds: () => bigint;
  /** Host names that it accepts besides loopback names and the local address of a connection. */
  readonly allowedHosts?: readonly string[];
  /** How long headers and a whole request may take, ms; 30 s by default. Tests set less. */
  readonly timeoutMs?: number;
  /** Called on every refusal that means a fork or a rollback. */
  readonly onRefusal?: (origin: string, status: number) => void;
}

/** Limit of a request body, which has a checkpoint and at most 63 hashes. */
const BODY_BYTES_MAX = 64 * 1024;
/** Limit of connections. A log needs one; a flood of them must not use up the store's file descriptors. */
const SOCKETS_MAX = 512;
const TIMEOUT_MS = 30_000;
const BOARD_PAGES = /^\/(?:reveal$|rotations$|board\/)/;
const TEXT = "text/plain; charset=utf-8";

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * Creates a witness's HTTP server, not yet listening: `POST /add-checkpoint` of c2sp.org/tlog-witness, `GET /` for its
 * verifier key, and `POST /reveal`, `POST /rotations` and `GET /board/<number>` for its board.
 */
export function createWitnessServer(parts: WitnessParts): Server {
  const routes = new WitnessRoutes(parts);
  const timeoutMs = parts.timeoutMs ?? TIMEOUT_MS;
  const deadlines = {
    headersTimeout: timeoutMs,
    requestTimeout: timeoutMs,
    connectionsCheckingInterval: Math.min(5_000, timeoutMs),
  };
  const server = createServer(deadlines, (request: IncomingMessage, response: ServerResponse) => {
    void routes
      .answer(request)
      .catch((): Answer => ({ status: 500, type: TEXT, body: "the state could not be stored\n" }))
      .then(({ status, type, body }) => {
        // Members' browsers call this from pages of other origins.
        const headers = { "content-type": type, "cache-control": "no-store", "access-control-allow-origin": "*" };
        response.writeHead(status, headers).end(body);
      });
  });
  server.maxConnections = SOCKETS_MAX;
  return server;
}

/** Handles requests, and cosigns one checkpoint at a time. */
class WitnessRoutes {
  readonly #parts: WitnessParts;
  readonly #logs: readonly { readonly origin: string; readonly logKeys: readonly VerifierKey[] }[];
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: WitnessParts) {
    this.#parts = parts;
    const origins = [...new Set(parts.logKeys.map((key) => key.name))];
    this.#logs = origins.map((origin) => ({ origin, logKeys: parts.logKeys.filter((key) => key.name === origin) }));
  }

  async answer(request: IncomingMessage): Promise<Answer> {
    if (!this.#isNamed(request)) return text(421, "name this host by --allowed-host");
    if (request.method === "GET" && request.url === "/") {
      return text(200, formatVerifierKey(this.#parts.store.key.verifier));
    }
    if (BOARD_PAGES.test(request.url ?? "")) return this.#answerBoard(request);
    if (request.url !== "/add-checkpoint") return text(404, "no such page");
    if (request.method !== "POST") return text(405, "POST it");
    const body = await readBody(request, BODY_BYTES_MAX);
    if (body === null) return text(413, "too long");
    // One at a time, since reading the state, storing the new one and cosigning must be one step.
    const mine = this.#last.then(() => this.#decide(body));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async #decide(body: string): Promise<Answer> {
    const { hashes, store, seconds } = this.#parts;
    const decision = decideAddCheckpoint(hashes, body, this.#logs, (origin) => store.stateOf(origin));
    if (decision.status !== 200) return this.#refuse(decision, body);
    const { origin, state, text: signed } = decision;
    const before = store.stateOf(origin);
    const isNew = before === null || before.size !== state.size || !equalBytes(before.root, state.root);
    if (isNew) await store.store(origin, state);
    const signatures = [cosign(signed, seconds(), store.key), signTimeless(signed, store.key)];
    return { status: 200, type: TEXT, body: formatCosignatures(signatures) };
  }

  #refuse(decision: Exclude<WitnessDecision, { status: 200 }>, body: string): Answer {
    const { status } = decision;
    if (status === 409 && decision.size !== null) {
      return { status, type: WITNESS_SIZE_TYPE, body: `${decision.size}\n` };
    }
    const origin = body.slice(body.indexOf("\n\n") + 2).split("\n")[0] ?? "";
    if (status === 409 || status === 422) this.#parts.onRefusal?.(origin, status);
    return text(status, REASONS[status]);
  }

  async #answerBoard(request: IncomingMessage): Promise<Answer> {
    const { board } = this.#parts;
    if (board === undefined) return text(404, NO_BOARD);
    const { method, url = "" } = request;
    if (method === "POST" && url === "/reveal") {
      const body = await readBody(request, POSTING_BYTES_MAX);
      if (body === null) return text(413, "too long");
      const posted = await board.post(body);
      return text(posted.status, posted.text);
    }
    if (method === "POST" && url === "/rotations") {
      const body = await readBody(request, ROTATIONS_BYTES_MAX);
      if (body === null) return text(413, "too long");
      const learned = await board.learn(body);
      return text(learned.status, learned.text);
    }
    const from = /^\/board\/(0|[1-9][0-9]{0,14})$/.exec(url)?.[1];
    if (method !== "GET" || from === undefined) return text(404, "no such page");
    const lines = board.lines(Number(from));
    return { status: 200, type: TEXT, body: lines.map((line) => `${line}\n`).join("") };
  }

  /** Returns whether the request's Host header names this host. Refusing other names stops DNS rebinding. */
  #isNamed(request: IncomingMessage): boolean {
    const { host } = request.headers;
    if (isLoopbackHost(host)) return true;
    const name = (host ?? "")
      .replace(/:\d+$/, "")
      .replace(/^\[|\]$/g, "")
      .toLowerCase();
    const own = (request.socket.localAddress ?? "").replace(/^::ffff:(?=\d+\.)/, "");
    return name !== "" && (name === own || (this.#parts.allowedHosts ?? []).includes(name));
  }
}

/** Makes an answer with one line of text. */
function text(status: number, line: string): Answer {
  return { status, type: TEXT, body: `${line}\n` };
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
