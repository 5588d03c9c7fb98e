import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ownHosts } from "./http/own-hosts.ts";
import { collectDefaultMetrics, Registry } from "prom-client";

/** Where features register their counters; a process has one. */
export type Metrics = Registry;

export function createMetrics(processName: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ process: processName });
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Serves `/metrics` on a loopback port of its own, never on the members' one. Answers the port. */
export async function serveMetrics(
  metrics: Metrics,
  port: number,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const hosts = ownHosts([], []);
  const server = createServer((request, response) => {
    if (!hosts(request.headers.host, request.socket.localAddress)) {
      response.writeHead(421).end();
      return;
    }
    if (request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    metrics.metrics().then(
      (text) => response.writeHead(200, { "content-type": metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
