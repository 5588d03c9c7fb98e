import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestDatabase } from "@fairtick/testkit";
import { createLocalBus } from "../platform/bus.ts";
import { systemClock } from "../platform/clock.ts";
import { readConfig } from "../platform/config.ts";
import { closeDatabases, openDatabases, type Process } from "../platform/context.ts";
import { createHealth } from "../platform/health.ts";
import type { Started } from "../platform/family.ts";
import { createLog } from "../platform/log.ts";
import { createMetrics } from "../platform/metrics.ts";
import { createShutdown } from "../platform/shutdown.ts";
import { startServerRole } from "../roles/server-role.ts";

/** The whole server on a test's database as `npm start` runs it, but without a market. */
export interface RunningServer {
  readonly base: string;
  readonly accounts: NonNullable<Started["accounts"]>;
  readonly places: Started["places"];
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** Starts the server on a free port. `env` overrides a sandbox's settings. */
export async function runServer(database: TestDatabase, env: Record<string, string> = {}): Promise<RunningServer> {
  const port = String(await freePort());
  const dataDir = mkdtempSync(join(tmpdir(), "fairtick-test-data-"));
  const config = readConfig({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: port,
    CONSOLE_PORT: "0",
    LOG_LEVEL: "silent",
    ...env,
  });
  const log = createLog("test", "silent");
  const shutdown = createShutdown(log);
  const databases = openDatabases(database.url, log);
  shutdown.add("data folder", async () => rmSync(dataDir, { recursive: true, force: true }));
  shutdown.add("databases", () => closeDatabases(databases));
  const process_: Process = {
    config,
    log,
    clock: systemClock,
    bus: createLocalBus((error) => {
      throw error;
    }),
    databases,
    metrics: createMetrics("test"),
    metricsPort: 0,
    health: createHealth(systemClock),
    shutdown,
  };
  const started = await startServerRole(process_);
  return {
    base: `http://127.0.0.1:${port}`,
    accounts: started.accounts ?? [],
    places: started.places,
    stop: () => shutdown.run("the test ends"),
  };
}
