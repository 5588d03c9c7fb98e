import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** The EICAR test file, a harmless text that every scanner reports. Split in two so that no scanner removes this source. */
export const EICAR = ["X5O!P%@AP[4\\PZX54(P^)7CC)7}$", "EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"].join("");

export interface Clamd {
  readonly path: string;
  /** The data of each stream that it received, without framing; null if the scanner doesn't report it. */
  readonly seen: readonly number[] | null;
  stop(): Promise<void>;
}

/** Speaks clamd's side of INSTREAM as its manual documents it, and finds the EICAR test file. `says` overrides the answer. */
export async function startProtocolPeer(
  folder: string,
  options: { readonly says?: string; readonly bytesMax?: number } = {},
): Promise<Clamd> {
  const path = join(folder, "peer.sock");
  const seen: number[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    void answer(socket, seen, options);
  });
  server.listen(path);
  await once(server, "listening");
  return {
    path,
    seen,
    stop: async () => {
      server.close();
      await once(server, "close");
    },
  };
}

async function answer(
  socket: Socket,
  seen: number[],
  { says, bytesMax = Infinity }: { says?: string; bytesMax?: number },
) {
  let bytes = Buffer.alloc(0);
  let content = Buffer.alloc(0);
  let begun = false;
  for await (const part of socket as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, part]);
    if (!begun) {
      const end = bytes.indexOf(0);
      if (end === -1) continue;
      if (bytes.subarray(0, end).toString() !== "zINSTREAM") return void socket.end("UNKNOWN COMMAND\0");
      begun = true;
      bytes = bytes.subarray(end + 1);
    }
    while (bytes.length >= 4) {
      const length = bytes.readUInt32BE(0);
      if (length === 0) {
        seen.push(content.length);
        const found = content.includes(EICAR) ? "stream: Eicar-Test-Signature FOUND" : "stream: OK";
        return void socket.end(`${says ?? found}\0`);
      }
      if (content.length + length > bytesMax) return void socket.end("INSTREAM size limit exceeded. ERROR\0");
      if (bytes.length < 4 + length) break;
      content = Buffer.concat([content, bytes.subarray(4, 4 + length)]);
      bytes = bytes.subarray(4 + length);
    }
  }
}

/** Debian's path, unless CLAMD names another. */
const PROGRAM = process.env["CLAMD"] ?? "/usr/sbin/clamd";
export const hasClamd = existsSync(PROGRAM);

/** Starts the real daemon with EICAR's signature alone, since the published ones are hundreds of megabytes. */
export async function startClamd(folder: string): Promise<Clamd> {
  const [path, signatures] = [join(folder, "clamd.sock"), join(folder, "signatures")];
  mkdirSync(signatures);
  writeFileSync(join(signatures, "eicar.ndb"), `Eicar-Test:0:*:${Buffer.from(EICAR).toString("hex")}\n`);
  const settings = ["Foreground yes", `LocalSocket ${path}`, `DatabaseDirectory ${signatures}`, "StreamMaxLength 110M"];
  writeFileSync(join(folder, "clamd.conf"), [...settings, "MaxFileSize 110M", "MaxScanSize 200M", ""].join("\n"));
  const child = spawn(PROGRAM, ["--config-file", join(folder, "clamd.conf")], { stdio: "ignore" });
  while (!existsSync(path)) {
    if (child.exitCode !== null) throw new Error(`${PROGRAM} ended with ${child.exitCode}`);
    await wait(50);
  }
  return {
    path,
    seen: null,
    stop: async () => {
      const gone = once(child, "exit");
      child.kill();
      await gone;
    },
  };
}
