import { join } from "node:path";
import { waitUntil } from "@fairtick/testkit";
import { startBeacon } from "../../scripts/beacon.ts";
import { type Family, forkRoles, type ProcessName, startFamily } from "../../scripts/family.ts";
import type { BenchServer } from "./bench-server.ts";

/** Starts processes of the product on the benchmark's database, with the beacon for its market. */
export async function startBenchFamily(
  server: BenchServer,
  roles: readonly ProcessName[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Pick<Family, "pids" | "started" | "stop">> {
  const keeping = { ending: new AbortController().signal, say: () => undefined };
  const beacon = await startBeacon(join(server.folder, "beacon"), keeping);
  const family = startFamily({
    roles: forkRoles(roles),
    environment: {
      DATABASE_URL: server.url,
      DATA_DIR: join(server.folder, "data"),
      LOG_LEVEL: "error",
      ...beacon.environment,
      ...environment,
    },
  });
  return {
    pids: () => family.pids(),
    started: family.started,
    async stop() {
      await family.stop();
      await beacon.part.stop();
    },
  };
}

/**
 * Starts the product's market process, which writes all instruments through the tick gate while others are measured.
 */
export async function startMarketProcess(server: BenchServer): Promise<Pick<Family, "stop">> {
  const family = await startBenchFamily(server, ["market"]);
  await family.started;
  await waitForFreshPrices(server);
  return family;
}

/** Waits for the first epoch, which begins some seconds after its commitment; before it, no order can be placed. */
export async function waitForFreshPrices(server: BenchServer): Promise<void> {
  await waitUntil("fresh prices", async () => {
    const { rows } = await server.admin.query(
      "SELECT 1 FROM instrument_clock HAVING min(time) > extract(epoch FROM clock_timestamp()) * 1000 - 1000",
    );
    return rows.length > 0;
  });
}
