/**
 * A process of the fan-out benchmark: thousands of WebSocket clients that only read and answer pings, so that the
 * machine's time goes to the server. Every tenth one checks when a frame's first tick was made.
 */
import { connect, type Socket } from "node:net";

export interface LoadOrder {
  readonly kind: "open";
  readonly port: number;
  readonly path: string;
  readonly sockets: number;
  readonly subscribe: boolean;
}

export interface LoadReport {
  readonly kind: "opened" | "report";
  readonly frames: number;
  readonly latenciesMs: readonly number[];
}

const SAMPLED_EVERY = 10;
const WAVE = 200;
/** Shared by all sockets, because a new buffer per read would cost as much as the read. */
const buffer = Buffer.allocUnsafe(65_536);
let frames = 0;
let latenciesMs: number[] = [];

/** Returns a text frame as a client sends it, masked with zeros, since the mask only protects proxies. */
function clientFrame(text: string): Buffer {
  const body = Buffer.from(text);
  const head = body.length < 126 ? Buffer.from([0x81, 0x80 | body.length]) : Buffer.from([0x81, 0xfe, 0, body.length]);
  return Buffer.concat([head, Buffer.alloc(4), body]);
}

const TEXT = 0x81;
const PING = 0x89;
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

/** Counts and samples the frames of one read. */
function read(bytes: number, sampled: boolean, socket: Socket): void {
  let end: number;
  for (let at = 0; at < bytes; at = end) {
    const length = buffer.readUInt8(at + 1);
    end = length < 126 ? at + 2 + length : at + 4 + buffer.readUInt16BE(at + 2);
    if (buffer[at] === PING) socket.write(PONG);
    if (buffer[at] !== TEXT) continue;
    frames += 1;
    if (sampled) sample(at, Math.min(end, bytes));
  }
}

function sample(start: number, end: number): void {
  // `"d":[["EURUSD",7,1790000000000,"1.085000"],…`
  const rows = buffer.subarray(start, end).indexOf('"d":[["');
  if (rows < 0) return;
  const time = Number(buffer.toString("latin1", start + rows, start + rows + 80).split(",")[2]);
  if (time > 0) latenciesMs.push(performance.timeOrigin + performance.now() - time);
}

function open(order: LoadOrder, number: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const sampled = number % SAMPLED_EVERY === 0;
    let isOpen = false;
    const callback = (bytes: number) => {
      if (isOpen) read(bytes, sampled, socket);
      else welcome(buffer.toString("latin1", 0, Math.min(bytes, 40)));
      return true;
    };
    const welcome = (answer: string) => {
      isOpen = answer.startsWith("HTTP/1.1 101");
      if (!isOpen) reject(new Error(`the server answered ${answer}`));
      else if (order.subscribe) socket.write(clientFrame('{"op":"subscribe","topics":["tick:*"]}'));
      resolve(socket);
    };
    const socket = connect({ port: order.port, host: "127.0.0.1", noDelay: true, onread: { buffer, callback } });
    socket.once("error", reject);
    socket.write(
      `GET ${order.path} HTTP/1.1\r\nHost: 127.0.0.1:${order.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    );
  });
}

process.on("message", (message: LoadOrder | { readonly kind: "report" }) => {
  void answer(message);
});
process.on("disconnect", () => process.exit(0));

async function answer(message: LoadOrder | { readonly kind: "report" }): Promise<void> {
  if (message.kind === "open") {
    for (let from = 0; from < message.sockets; from += WAVE) {
      const wave = Array.from({ length: Math.min(WAVE, message.sockets - from) }, (_, index) => from + index);
      await Promise.all(wave.map((number) => open(message, number)));
    }
  }
  const kind = message.kind === "open" ? "opened" : "report";
  const report: LoadReport = { kind, frames, latenciesMs };
  frames = 0;
  latenciesMs = [];
  process.send?.(report);
}
