import type { Socket } from "node:net";
import { type Clock, type ErrorName, formatPrice, type MemberId } from "@fairtick/domain";
import { SESSION_OVER, type StreamMessage, type Topic } from "@fairtick/protocol";
import type { LanguageCode } from "@fairtick/i18n";
import type { WebSocket } from "ws";
import type { SignedHead } from "../../platform/bus.ts";
import type { DeviceKey } from "../../platform/device-key.ts";
import { encodeTextFrame } from "./frame.ts";

/** A tick as the text `["EURUSD",seq,time,"1.084120"]`, encoded once for all frames that contain it. */
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

/** Makes a frame of ticks. `head` is JSON of the newest slot's signed head, if the frame consists of whole slots. */
export function encodeTicks(ticks: readonly EncodedTick[], now: bigint, head?: string): Buffer {
  const last = head === undefined ? "" : `,"head":${head}`;
  return encodeTextFrame(`{"t":"ticks","now":${now},"d":[${ticks.map(({ json }) => json).join(",")}]${last}}`);
}

export function encodeHead({ k, hash, signature, key }: SignedHead): string {
  return `{"k":${k},"hash":"${hash}","signature":"${signature}","key":"${key}"}`;
}

/** A reader this far behind is disconnected; it connects again and asks the calls for what it missed. */
const BEHIND_BYTES_MAX = 1_048_576;

/** A peer that sends nothing for this long is disconnected: the specification's socket time-out. */
export const SILENT_MS_MAX = 60_000;
/**
 * When to ask a silent peer for an answer. This is twice within that time, so that a single lost answer disconnects no
 * one.
 */
const ASK_AFTER_MS = 20_000;

/** Where a socket was opened. */
export interface ConnectedFrom {
  readonly ip: string;
  /** The client's user agent. */
  readonly device: string;
  /** The browser's device key; null if it sent none. */
  readonly deviceKey: DeviceKey | null;
}

/** One socket and what it should receive. */
export class Connection {
  /** The address whose sockets are counted together. */
  readonly ip: string;
  readonly from: ConnectedFrom;
  readonly topics = new Set<Topic>();
  /** The language of texts that are sent to it. */
  lang: LanguageCode = "en";
  member: MemberId | null = null;
  sessionId: bigint | null = null;
  /** The session's token, kept for regular checks whether the session still runs. */
  token: string | null = null;
  /** When the peer was last heard, in the clock's elapsed milliseconds. */
  #heardAt: number;
  /** When it was last asked to answer, in the clock's elapsed milliseconds. */
  #askedAt: number;
  /** The newest tick of each instrument that a slow reader has not been sent. */
  readonly #waitingTicks = new Map<string, EncodedTick>();
  /** Whether a slow reader's account has changed. The figures are read once the reader can take them. */
  accountWaits = false;
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  readonly #clock: Clock;
  #over = false;

  constructor(webSocket: WebSocket, socket: Socket, from: ConnectedFrom, clock: Clock) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.ip = from.ip;
    this.from = from;
    this.#clock = clock;
    this.#heardAt = clock.elapsedMs();
    this.#askedAt = this.#heardAt;
  }

  get over(): boolean {
    return this.#over || this.#webSocket.readyState !== this.#webSocket.OPEN;
  }

  /** Whether the socket has too much unsent data, so that less urgent data has to wait. */
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

  /**
   * Sends a slot's ticks. A slow reader gets only the newest tick of each instrument, later, so that its queue never
   * grows.
   */
  sendTicks(ticks: readonly EncodedTick[], frame: Buffer): void {
    if (!this.slow) this.writeFrame(frame);
    else for (const tick of ticks) this.#waitingTicks.set(tick.symbol, tick);
  }

  /** Sends what has been waiting. */
  caughtUp(): void {
    if (this.#waitingTicks.size === 0) return;
    const ticks = [...this.#waitingTicks.values()].filter(({ symbol }) => this.watches(symbol));
    this.#waitingTicks.clear();
    if (ticks.length > 0) this.writeFrame(encodeTicks(ticks, this.#clock.now()));
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

  /** Notes that the peer answered or said something. */
  heard(): void {
    this.#heardAt = this.#clock.elapsedMs();
  }

  /** Asks a peer that was silent for ASK_AFTER_MS to answer, and cuts off one that was asked and silent for SILENT_MS_MAX. */
  checkAlive(): void {
    const now = this.#clock.elapsedMs();
    // A server that was itself suspended for a minute pings first: it could not hear any answers meanwhile.
    const wasAsked = this.#askedAt > this.#heardAt;
    if (wasAsked && now - this.#heardAt >= SILENT_MS_MAX) {
      this.#over = true;
      this.#webSocket.terminate();
      return;
    }
    if (this.over || now - Math.max(this.#heardAt, this.#askedAt) < ASK_AFTER_MS) return;
    this.#askedAt = now;
    this.#webSocket.ping();
  }
}
