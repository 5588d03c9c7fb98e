import { fork } from "node:child_process";
import { join, resolve } from "node:path";
import { isFamilyReport } from "@fairtick/server";
import { waitUntil } from "@fairtick/testkit";
import type { BenchServer } from "./bench-server.ts";

const MARKET = resolve(import.meta.dirname, "../../apps/server/src/roles/market.ts");

export interface MarketProcess {
  stop(): Promise<void>;
}

/** The product's market process, writing all its instruments through the tick gate while others are measured. */
export async function startMarketProcess(server: BenchServer): Promise<MarketProcess> {
  const child = fork(MARKET, [], {
    env: { ...process.env, DATABASE_URL: server.url, DATA_DIR: join(server.folder, "data"), LOG_LEVEL: "warn" },
    serialization: "advanced",
    detached: true,
  });
  const ended = new Promise<void>((resolveEnded) => {
    child.once("exit", () => resolveEnded());
  });
  await new Promise<void>((resolveReady, reject) => {
    child.on("message", (message: unknown) => {
      if (!isFamilyReport(message)) return;
      if (message.kind === "ready") resolveReady();
      else reject(new Error(message.sentence));
    });
    child.once("exit", (code) => reject(new Error(`the market process ended with ${code}`)));
  });
  // A first epoch begins some seconds after its commitment; until then there is no fresh price to place an order on.
  await waitUntil("fresh prices", async () => {
    const { rows } = await server.admin.query(
      "SELECT 1 FROM instrument_clock HAVING min(time) > extract(epoch FROM clock_timestamp()) * 1000 - 1000",
    );
    return rows.length > 0;
  });
  return {
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
