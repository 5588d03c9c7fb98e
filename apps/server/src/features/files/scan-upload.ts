import { createReadStream } from "node:fs";
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { accept, refuse, type Verdict } from "@fairtick/domain";
import type { Log } from "../../platform/log.ts";
import type { ScannerAddress } from "../../platform/scanner-settings.ts";

/** Scans the file at a path for viruses. */
export type Scan = (path: string) => Promise<Verdict<null>>;

const IDLE_MS_MAX = 60_000;
const ANSWER_CHARACTERS_MAX = 1_000;
/** Scans at the same time. Each takes one of the scanner's threads, ten by default. Other uploads wait. */
const AT_ONCE = 4;

/**
 * Returns a function that streams an upload to ClamAV's daemon. It refuses FILE_INFECTED if the daemon finds something, and
 * NOT_NOW without a verdict: a file that wasn't scanned isn't kept.
 */
export function openScanner(address: ScannerAddress, log: Pick<Log, "error" | "warn">): Scan {
  const enter = createGate(AT_ONCE);
  return async (path) => {
    const leave = await enter();
    try {
      const said = await stream(address, path);
      if (/^stream: OK$/.test(said)) return accept(null);
      const found = /^stream: (.+) FOUND$/.exec(said)?.[1];
      if (found === undefined) throw new Error(`the scanner says: ${said === "" ? "nothing" : said}`);
      log.warn({ found }, "an upload with a virus in it was refused");
      return refuse("FILE_INFECTED", undefined, { file: "FILE_INFECTED" });
    } catch (error) {
      log.error({ err: error }, "an upload could not be scanned for viruses; its sender is asked to try again");
      return refuse("NOT_NOW");
    } finally {
      leave();
    }
  };
}

/** Sends the file in parts, each preceded by its length, and an empty part at the end. Returns the scanner's line. */
async function stream(address: ScannerAddress, path: string): Promise<string> {
  const socket = "path" in address ? connect(address.path) : connect(address.port, address.host);
  socket.setTimeout(IDLE_MS_MAX, () => socket.destroy(new Error("the scanner is silent")));
  const answer = readAnswer(socket);
  // The answer is awaited below. Until then, this keeps a failure from counting as unhandled.
  answer.catch(() => undefined);
  try {
    await once(socket, "connect");
    await send(socket, Buffer.from("zINSTREAM\0"));
    for await (const part of createReadStream(path) as AsyncIterable<Buffer>) {
      // A scanner that has its verdict, or refuses more data, stops reading early.
      if (socket.readableEnded || !socket.writable) break;
      const length = Buffer.alloc(4);
      length.writeUInt32BE(part.length);
      await send(socket, Buffer.concat([length, part]));
    }
    if (socket.writable) socket.write(Buffer.alloc(4));
    return await answer;
  } finally {
    socket.destroy();
  }
}

async function send(socket: Socket, data: Buffer): Promise<void> {
  if (!socket.write(data)) await Promise.race([once(socket, "drain"), once(socket, "close")]);
}

/** Reads the answer up to its closing NUL byte, or up to the end of the stream. */
function readAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(0, ANSWER_CHARACTERS_MAX);
      if (said.includes("\0")) resolve(said.slice(0, said.indexOf("\0")).trim());
    });
    socket.on("error", (error) => (said === "" ? reject(error) : resolve(said.trim())));
    socket.on("close", () => resolve(said.trim()));
  });
}

function createGate(most: number): () => Promise<() => void> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async () => {
    if (running >= most) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      // A scan that ends passes its place on to this one.
      await promise;
    } else running += 1;
    return () => {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    };
  };
}
