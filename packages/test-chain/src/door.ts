import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isLoopbackHost } from "@fairtick/domain";

/** The address of a node that programs on this machine can use, but web pages can't. */
export interface NodeDoor {
  /** Such as `http://127.0.0.1:port`. */
  readonly url: string;
  close(): Promise<void>;
}

const BODY_MS_MAX = 10_000;
const SOCKETS_MAX = 256;

/**
 * Opens a loopback port that passes calls on to a node. The node itself answers any web page (`*`) under any name. This
 * port refuses requests from browsers: those with a page's origin, and those with a name that was pointed at this
 * machine.
 */
export async function openNodeDoor(nodeUrl: string, port = 0): Promise<NodeDoor> {
  const server = createServer({ headersTimeout: BODY_MS_MAX, requestTimeout: BODY_MS_MAX }, (asked, answer) => {
    if (!isLoopbackHost(asked.headers.host)) return decline(answer, 421);
    if (asked.headers.origin !== undefined || asked.headers["sec-fetch-site"] !== undefined)
      return decline(answer, 403);
    if (asked.method !== "POST") return decline(answer, 405);
    return passOn(nodeUrl, asked, answer);
  });
  server.maxConnections = SOCKETS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => {
        server.close(closed);
      });
    },
  };
}

function passOn(nodeUrl: string, asked: IncomingMessage, answer: ServerResponse): void {
  const passed = request(nodeUrl, { method: "POST", headers: { "content-type": "application/json" } }, (answered) => {
    answer.writeHead(answered.statusCode ?? 502, { "content-type": "application/json" });
    answered.pipe(answer);
  });
  // The node restarts now and then. Callers retry.
  passed.on("error", () => (answer.headersSent ? answer.destroy() : decline(answer, 502)));
  asked.on("error", () => passed.destroy());
  asked.pipe(passed);
}

function decline(answer: ServerResponse, status: number): void {
  answer.writeHead(status, { connection: "close" }).end();
}
