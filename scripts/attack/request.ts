import { Agent, type IncomingHttpHeaders, request } from "node:http";

/** What a server answered to one request. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Milliseconds from the request's first byte to the answer's last. */
  readonly ms: number;
}

/** One message; `headers` are sent as they are, a foreign `host` too. */
export interface Message {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Somebody at one address. */
export interface Caller {
  send(path: string, message?: Message): Promise<Answer>;
  /** Closes the connections that are kept. */
  close(): void;
}

const PATIENCE_MS = 90_000;

/**
 * Makes somebody who calls a server from an address of the loopback of their own (127.0.0.0/8), since limits count
 * addresses. Rejects where the connection breaks, and after a minute and a half without an answer.
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

/** The fields of the envelope's `data`; empty where the answer is none. */
export function dataOf({ text, headers }: Answer): Readonly<Record<string, unknown>> {
  if (!(headers["content-type"] ?? "").startsWith("application/json")) return {};
  const { data } = JSON.parse(text) as { readonly data?: unknown };
  return { ...Object(data) } as Record<string, unknown>;
}

/** The refusal's name; null for an answer that is none. */
export function errorOf(answer: Answer): string | null {
  const { error } = dataOf(answer);
  return answer.status >= 400 && typeof error === "string" ? error : null;
}

/** A form's body and its type. */
export function form(fields: Readonly<Record<string, string>>): Required<Pick<Message, "headers" | "body">> {
  return {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  };
}

const OCTET = 250;

/** An address of the loopback for each number: nobody else's, whatever the number. */
export function addressOf(number: number): string {
  const [low, middle] = [number % OCTET, Math.floor(number / OCTET) % OCTET];
  return `127.${10 + (Math.floor(number / OCTET ** 2) % OCTET)}.${middle}.${low + 1}`;
}
