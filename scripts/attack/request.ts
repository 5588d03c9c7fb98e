import { Agent, type IncomingHttpHeaders, request } from "node:http";

/** A server's response to one request. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Milliseconds from the request's first byte to the response's last. */
  readonly ms: number;
}

/** One request; `headers` are sent as they are, including a foreign `host`. */
export interface Message {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A client with its own address. */
export interface Caller {
  send(path: string, message?: Message): Promise<Answer>;
  /** Closes the open connections. */
  close(): void;
}

const PATIENCE_MS = 90_000;

/**
 * Returns a client that calls a server from its own loopback address (127.0.0.0/8), since limits count addresses.
 * Rejects
 * if the connection breaks, and after a minute and a half without a response.
 */
export function callerFrom(address: string, base: string): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 64, localAddress: address });
  return {
    send(path, { method = "POST", headers = {}, body } = {}) {
      const begun = performance.now();
      return new Promise((resolve, reject) => {
        const sent = request(new URL(path, base), { agent, method, headers: { ...headers, ...lengthOf(body) } });
        sent.setTimeout(PATIENCE_MS, () => sent.destroy(new Error(`no answer to ${path} in ${PATIENCE_MS} ms`)));
        sent.once("error", reject);
        sent.once("response", (response) => {
          const pieces: Buffer[] = [];
          response.on("data", (piece: Buffer) => pieces.push(piece));
          response.once("error", reject);
          response.once("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(pieces).toString("utf8"),
              ms: performance.now() - begun,
            }),
          );
        });
        sent.end(body);
      });
    },
    close: () => agent.destroy(),
  };
}

function lengthOf(body: Message["body"]): Record<string, string> {
  return body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
}

/** Returns the fields of the envelope's `data`; empty if the response has none. */
export function dataOf({ text, headers }: Answer): Readonly<Record<string, unknown>> {
  if (!(headers["content-type"] ?? "").startsWith("application/json")) return {};
  const { data } = JSON.parse(text) as { readonly data?: unknown };
  return { ...Object(data) } as Record<string, unknown>;
}

/** Returns the refusal's name; null if the response isn't a refusal. */
export function errorOf(answer: Answer): string | null {
  const { error } = dataOf(answer);
  return answer.status >= 400 && typeof error === "string" ? error : null;
}

/** Returns a form's body and content type. */
export function form(fields: Readonly<Record<string, string>>): Required<Pick<Message, "headers" | "body">> {
  return {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  };
}

const OCTET = 250;

/** Returns a loopback address for a number, different for each number. */
export function addressOf(number: number): string {
  const [low, middle] = [number % OCTET, Math.floor(number / OCTET) % OCTET];
  return `127.${10 + (Math.floor(number / OCTET ** 2) % OCTET)}.${middle}.${low + 1}`;
}
