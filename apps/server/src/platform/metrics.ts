import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isLoopbackHost } from "@fairtick/domain";
import { collectDefaultMetrics, Registry } from "prom-client";

/** The registry in which a process's features register their counters. */
export type Metrics = Registry;

/** The most sockets. A scraper needs one, and a client that opens thousands mustn't take descriptors from the product. */
const SOCKETS_MAX = 64;
const DEADLINES = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };

export function createMetrics(processName: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ process: processName });
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Serves `/metrics` on its own loopback port, never on the members' port. Returns the port. */
export async function serveMetrics(
  metrics: Metrics,
  port: number,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer(DEADLINES, (request, response) => {
    if (!isLoopbackHost(request.headers.host)) {
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
  server.maxConnections = SOCKETS_MAX;
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
