import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { FIRST_SM1_PARAMS, formatPrice } from "@fairtick/domain";
import { WebSocket, WebSocketServer } from "ws";

/** Symbol → price as text, or null for an instrument without quotes. */
export type ScriptedPrices = Readonly<Record<string, string | null>>;

/** The prices of a journey, to which the market's `scripted` source connects (`MARKET_SCRIPT_URL`). */
export interface PriceScript {
  /** Address for `MARKET_SCRIPT_URL`. */
  readonly url: string;
  /** Address for `POST` and `GET` requests. */
  readonly httpUrl: string;
  /**
   * Sets prices. Instruments left out keep theirs. Null silences an instrument, which has no ticks until it gets a
   * price again.
   */
  set(prices: ScriptedPrices): void;
  /** Sends one quote. A silent instrument gets this one tick and is silent again. */
  sayOnce(symbol: string, price: string): void;
  close(): Promise<void>;
}

/** An unchanged price is sent again at this interval, as in a busy market. Each time it becomes a tick. */
const SAY_EVERY_MS = 500;

/**
 * Starts a price script on a loopback port (0 for a free one), with each instrument at its first price. From another
 * process, `POST <httpUrl>/prices` with JSON such as `{"EURUSD":"1.085000","BTCUSD":null}` sets prices and returns all
 * of them; `GET` reads them. `POST <httpUrl>/quotes` sends its prices once, as `sayOnce` does.
 */
export async function startPriceScript(port = 0): Promise<PriceScript> {
  const prices = new Map<string, string | null>(
    FIRST_SM1_PARAMS.map((params) => [params.symbol, formatPrice(params.anchor, params.digits)]),
  );
  const server = createServer((request, response) => {
    if (request.url !== "/prices" && request.url !== "/quotes") {
      response.writeHead(404).end();
      return;
    }
    handle(request)
      .then((status) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(Object.fromEntries(prices)));
      })
      .catch(() => response.writeHead(400).end());
  });
  const sockets = new WebSocketServer({ server });

  async function handle(request: IncomingMessage): Promise<number> {
    if (request.method === "GET") return 200;
    if (request.method !== "POST") return 405;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const wanted: unknown = JSON.parse(Buffer.concat(parts).toString("utf8"));
    if (!isPrices(wanted)) return 400;
    if (request.url === "/prices") set(wanted);
    else for (const [symbol, price] of Object.entries(wanted)) if (price !== null) say(symbol, price);
    return 200;
  }

  function set(changes: ScriptedPrices): void {
    for (const [symbol, price] of Object.entries(changes)) {
      prices.set(symbol, price);
      if (price !== null) say(symbol, price);
    }
  }

  function say(symbol: string, price: string): void {
    const text = JSON.stringify({ symbol, price });
    for (const socket of sockets.clients) if (socket.readyState === WebSocket.OPEN) socket.send(text);
  }

  const timer = setInterval(() => {
    for (const socket of sockets.clients) if (socket.readyState === WebSocket.OPEN) socket.send("{}");
    for (const [symbol, price] of prices) if (price !== null) say(symbol, price);
  }, SAY_EVERY_MS);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `ws://${place}`,
    httpUrl: `http://${place}`,
    set,
    sayOnce: say,
    async close() {
      clearInterval(timer);
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isPrices(value: unknown): value is ScriptedPrices {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((price) => price === null || typeof price === "string");
}
