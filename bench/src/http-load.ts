/**
 * A process of the HTTP benchmark. Each connection is kept alive and sends one order after another. Only status and
 * length of a response are read, so that the machine's time goes to the server.
 */
import { connect, type Socket } from "node:net";

export interface HttpLoadOrder {
  readonly kind: "place";
  readonly port: number;
  readonly tokens: readonly string[];
  readonly seconds: number;
  /** Makes client ids unique to each round. */
  readonly round: string;
}

export interface HttpLoadReport {
  readonly orders: number;
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
  /** One example of each kind of response other than 200. */
  readonly refusals: readonly string[];
  readonly cpuUs: number;
}

const SYMBOLS = ["EURUSD", "GBPUSD", "USDJPY", "XAUUSD", "BTCUSD", "ETHUSD"];

/** A connection with one request at a time; resolves with the response's status line and body when it is complete. */
class Caller {
  readonly #socket: Socket;
  #received = "";
  #resolve: ((answer: string) => void) | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      this.#received = this.#received === "" ? chunk : this.#received + chunk;
      const bodyAt = this.#received.indexOf("\r\n\r\n");
      if (bodyAt < 0) return;
      const lengthAt = this.#received.indexOf("content-length: ");
      if (lengthAt < 0 || lengthAt > bodyAt) throw new Error(`an answer without a length: ${this.#received}`);
      const length = Number.parseInt(this.#received.slice(lengthAt + 16, lengthAt + 26), 10);
      if (this.#received.length < bodyAt + 4 + length) return;
      const answer = this.#received;
      this.#received = "";
      this.#resolve?.(answer);
    });
  }

  ask(request: string): Promise<string> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#socket.write(request);
    });
  }

  end(): void {
    this.#socket.destroy();
  }
}

function open(port: number): Promise<Caller> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    socket.once("error", reject);
    socket.once("connect", () => resolve(new Caller(socket)));
  });
}

let sent = 10 ** 11;

/** Returns a UUID ordered by time, like the app's. */
function clientIdOf(round: string): string {
  sent += 1;
  return `${round.padStart(8, "0")}-0000-7000-8000-${sent}`;
}

async function place({ port, tokens, seconds, round }: HttpLoadOrder): Promise<HttpLoadReport> {
  const callers = await Promise.all(tokens.map(() => open(port)));
  const latenciesMs: number[] = [];
  const refusals = new Set<string>();
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  await Promise.all(
    callers.map(async (caller, number) => {
      const head =
        `POST /client/order/place HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: keep-alive\r\nLang: en_US\r\n` +
        `exchange2508Token: ${tokens[number]}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: `;
      const symbol = SYMBOLS[number % SYMBOLS.length];
      for (let order = 0; performance.now() < end; order += 1) {
        const body =
          `wallet=practice&symbol=${symbol}&direction=${order % 2 === 0 ? "up" : "down"}&stake=1.00&duration=3600` +
          `&clientOrderId=${clientIdOf(round)}`;
        const sentAt = performance.now();
        const answer = await caller.ask(`${head}${body.length}\r\n\r\n${body}`);
        if (answer.startsWith("HTTP/1.1 200")) latenciesMs.push(performance.now() - sentAt);
        else refusals.add(answer.slice(answer.indexOf("\r\n\r\n") + 4));
      }
    }),
  );
  const { user, system } = process.cpuUsage(cpu);
  for (const caller of callers) caller.end();
  return {
    orders: latenciesMs.length,
    seconds: (performance.now() - begun) / 1_000,
    latenciesMs,
    refusals: [...refusals],
    cpuUs: user + system,
  };
}

process.on("message", (order: HttpLoadOrder) => {
  void place(order).then((report) => process.send?.(report));
});
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
