import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A price as Hermes sends it beside the signed data. */
export interface FakePrice {
  readonly id: string;
  readonly price: bigint;
  readonly conf: bigint;
  readonly expo: number;
  readonly publishTime: bigint;
}

/**
 * A server for Pyth Hermes' stream of updates (server-sent events behind an API key), which misbehaves on demand. A
 * test decides each message, in any order and any number of times.
 */
export interface FakeHermes {
  readonly url: string;
  /** Waits until a client is listening. */
  subscribed(): Promise<void>;
  /** Returns the feeds that all connections have requested since the start. */
  ids(): ReadonlySet<string>;
  connections(): number;
  /** Returns how many connections were refused because of their key. */
  refusals(): number;
  /**
   * Sends updates. `data` is the signed updates in hexadecimal; `parsed` is Hermes' plain form of them, null for none.
   */
  update(data: readonly string[], parsed: readonly FakePrice[] | null): void;
  /** Sends an event with any text as its `data`. */
  event(data: string): void;
  /** Sends any text as part of the stream. */
  raw(text: string): void;
  /** Cuts all connections. Clients can reconnect. */
  drop(): void;
  /** Keeps connections open until `thaw`, but sends only the comments that keep a connection alive. */
  freeze(): void;
  thaw(): void;
  /** Answers with a page instead of a stream while `on` is true. */
  answerPage(on: boolean): void;
  /** Accepts only the given key from now on. */
  changeKey(key: string): void;
  close(): Promise<void>;
}

const COMMENT_EVERY_MS = 500;

export async function startFakeHermes(firstKey: string): Promise<FakeHermes> {
  const listeners = new Set<ServerResponse>();
  const asked = new Set<string>();
  let waiting: (() => void)[] = [];
  let [connections, refusals] = [0, 0];
  let [frozen, page, key] = [false, false, firstKey];

  const server = createServer((request, response) => {
    const address = new URL(request.url ?? "", "http://localhost");
    if (request.headers.authorization !== `Bearer ${key}`) {
      refusals += 1;
      response.writeHead(401, { "content-type": "text/plain" }).end("Unauthorized");
      return;
    }
    if (address.pathname !== "/hermes/v2/updates/price/stream") {
      response.writeHead(404).end();
      return;
    }
    connections += 1;
    if (page) {
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Maintenance</title>");
      return;
    }
    for (const id of address.searchParams.getAll("ids[]")) asked.add(id);
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    response.write(":\n\n");
    listeners.add(response);
    response.on("close", () => listeners.delete(response));
    for (const resolve of waiting) resolve();
    waiting = [];
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const comments = setInterval(() => {
    for (const response of listeners) response.write(":\n\n");
  }, COMMENT_EVERY_MS);

  function raw(text: string): void {
    if (!frozen) for (const response of listeners) response.write(text);
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hermes`,
    subscribed() {
      if (listeners.size > 0) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
    ids: () => asked,
    connections: () => connections,
    refusals: () => refusals,
    update(data, parsed) {
      const told = parsed?.map(({ id, price, conf, expo, publishTime }) => {
        const of = { price: `${price}`, conf: `${conf}`, expo, publish_time: Number(publishTime) };
        return { id, price: of, ema_price: of, metadata: { slot: 1, proof_available_time: Number(publishTime) } };
      });
      const text = JSON.stringify({ binary: { encoding: "hex", data }, ...(told && { parsed: told }) });
      raw(`data:${text}\n\n`);
    },
    event(data) {
      raw(`data:${data}\n\n`);
    },
    raw,
    drop() {
      for (const response of listeners) response.destroy();
    },
    freeze() {
      frozen = true;
    },
    thaw() {
      frozen = false;
    },
    answerPage(on) {
      page = on;
    },
    changeKey(other) {
      key = other;
    },
    async close() {
      clearInterval(comments);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
