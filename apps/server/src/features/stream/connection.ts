import type { Socket } from "node:net";
import { type ErrorName, formatPrice, type MemberId } from "@fairtick/domain";
import { SESSION_OVER, type StreamMessage, type Topic } from "@fairtick/protocol";
import type { LanguageCode } from "@fairtick/i18n";
import type { WebSocket } from "ws";
import type { SignedHead } from "../../platform/bus.ts";
import { encodeTextFrame } from "./frame.ts";

/** `["EURUSD",seq,time,"1.084120"]`, as text: encoded once for all frames it stands in. */
export interface EncodedTick {
  readonly symbol: string;
  readonly json: string;
}

export function encodeTick(
  tick: { readonly symbol: string; readonly seq: bigint; readonly time: bigint; readonly price: bigint },
  decimals: number,
): EncodedTick {
  const price = formatPrice(tick.price as Parameters<typeof formatPrice>[0], decimals);
  return { symbol: tick.symbol, json: `["${tick.symbol}",${tick.seq},${tick.time},"${price}"]` };
}

/** `head`: JSON of the newest slot's signed head, where the frame is made of whole slots. */
export function encodeTicks(ticks: readonly EncodedTick[], now: bigint, head?: string): Buffer {
  const last = head === undefined ? "" : `,"head":${head}`;
  return encodeTextFrame(`{"t":"ticks","now":${now},"d":[${ticks.map(({ json }) => json).join(",")}]${last}}`);
}

export function encodeHead({ k, hash, signature, key }: SignedHead): string {
  return `{"k":${k},"hash":"${hash}","signature":"${signature}","key":"${key}"}`;
}

/** A reader this far behind is given up: it connects again and asks the calls for what it missed. */
const BEHIND_BYTES_MAX = 1_048_576;

/** One socket and what is to reach it. */
export class Connection {
  /** Whose sockets are counted together. */
  readonly ip: string;
  readonly topics = new Set<Topic>();
  /** In which words are sent to it. */
  lang: LanguageCode = "en";
  member: MemberId | null = null;
  sessionId: bigint | null = null;
  /** Kept to ask again, now and then, whether its session still runs. */
  token: string | null = null;
  alive = true;
  /** The newest tick of each instrument that a slow reader has not been sent. */
  readonly #waitingTicks = new Map<string, EncodedTick>();
  /** Set while a slow reader's account changed: the figures are read when it can take them. */
  accountWaits = false;
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  readonly #now: () => bigint;
  #over = false;

  constructor(webSocket: WebSocket, socket: Socket, ip: string, now: () => bigint) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.ip = ip;
    this.#now = now;
  }

  get over(): boolean {
    return this.#over || this.#webSocket.readyState !== this.#webSocket.OPEN;
  }

  /** The socket holds more than it should: what can wait, waits. */
  get slow(): boolean {
    return this.#socket.writableNeedDrain;
  }

  /** Writes a frame that is shared with other sockets. */
  writeFrame(frame: Buffer): void {
    if (this.over) return;
    if (this.#socket.writableLength > BEHIND_BYTES_MAX) this.close(1013, "too far behind");
    else this.#socket.write(frame);
  }

  send(message: StreamMessage): void {
    this.writeFrame(encodeTextFrame(JSON.stringify(message)));
  }

  sendError(error: ErrorName): void {
    this.send({ t: "error", error });
  }

  /** Sends a slot's ticks; to a slow reader the newest of each instrument later, so that its queue never grows. */
  sendTicks(ticks: readonly EncodedTick[], frame: Buffer): void {
    if (!this.slow) this.writeFrame(frame);
    else for (const tick of ticks) this.#waitingTicks.set(tick.symbol, tick);
  }

  /** Sends what waited. */
  caughtUp(): void {
    if (this.#waitingTicks.size === 0) return;
    const ticks = [...this.#waitingTicks.values()].filter(({ symbol }) => this.watches(symbol));
    this.#waitingTicks.clear();
    if (ticks.length > 0) this.writeFrame(encodeTicks(ticks, this.#now()));
  }

  watches(symbol: string): boolean {
    return this.topics.has("tick:*") || this.topics.has(`tick:${symbol}`);
  }

  /** Ends the socket: nothing more is written to it, and a peer that does not answer is cut off. */
  close(code: number, reason: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#waitingTicks.clear();
    this.#webSocket.close(code, reason);
    setTimeout(() => this.#webSocket.terminate(), 2_000).unref();
  }

  endSession(): void {
    this.close(SESSION_OVER, "session over");
  }

  /** Cuts off a peer that did not answer the last question, else asks again. */
  checkAlive(): void {
    if (!this.alive) {
      this.#over = true;
      this.#webSocket.terminate();
      return;
    }
    this.alive = false;
    if (!this.over) this.#webSocket.ping();
  }
}
