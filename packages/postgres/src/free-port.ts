import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { codeOf } from "./problem.ts";

/**
 * Below the ports that systems give to outgoing connections and to whoever listens on port 0 (Linux from 32,768, others from
 * 49,152), so that nobody is given the port before its finder listens on it.
 */
const PORTS = { first: 15_000, afterLast: 32_768 } as const;

/** Finds a port of the loopback address that is currently unused and isn't given away by the system itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.afterLast);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => {
      if (["EADDRINUSE", "EACCES"].includes(codeOf(error) ?? "")) resolve(false);
      else reject(error);
    });
    server.listen(port, "127.0.0.1", () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
