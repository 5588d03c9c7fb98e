import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A server's response, or the altered one of a faulty server. */
export interface Bent {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Simulates a faulty product: changes a path's response or how long it takes. */
export type Bend = (path: string, answer: Bent, sent: string) => Bent | Promise<Bent>;

export interface BendingDoor {
  readonly url: string;
  close(): void;
}

/** Opens a proxy in front of a running product that passes everything on except what `bend` changes. */
export async function openBendingDoor(product: string, bend: Bend): Promise<BendingDoor> {
  const server = createServer((asked, reply) => {
    void pass(product, asked)
      .then(async ({ answer, sent }) => {
        const { status, headers, text } = await bend(asked.url ?? "", answer, sent);
        const { "content-length": _length, "transfer-encoding": _encoding, connection: _connection, ...kept } = headers;
        reply.writeHead(status, kept).end(text);
      })
      .catch(() => reply.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => end(server) };
}

function end(server: Server): void {
  server.close();
  server.closeAllConnections();
}

async function pass(product: string, asked: IncomingMessage): Promise<{ answer: Bent; sent: string }> {
  const pieces: Buffer[] = [];
  for await (const piece of asked) pieces.push(piece as Buffer);
  const body = Buffer.concat(pieces);
  const answer = await new Promise<Bent>((resolve, reject) => {
    const { method = "GET", headers } = asked;
    const onward = request(new URL(asked.url ?? "/", product), { method, headers }, (response) => {
      const heard: Buffer[] = [];
      response.on("data", (piece: Buffer) => heard.push(piece));
      response.once("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(heard).toString("utf8"),
        }),
      );
    });
    onward.once("error", reject);
    onward.once("upgrade", (_response, socket) => {
      socket.destroy();
      reject(new Error("the door passes no sockets on"));
    });
    onward.end(body);
  });
  return { answer, sent: body.toString("utf8") };
}
