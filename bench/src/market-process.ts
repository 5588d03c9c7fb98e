import { join } from "node:path";
import { waitUntil } from "@fairtick/testkit";
import { type Family, forkRoles, startFamily } from "../../scripts/family.ts";
import type { BenchServer } from "./bench-server.ts";

/** The product's market process, writing all its instruments through the tick gate while others are measured. */
export async function startMarketProcess(server: BenchServer): Promise<Pick<Family, "stop">> {
  const family = startFamily({
    roles: forkRoles(["market"]),
    environment: {
      DATABASE_URL: server.url,
      DATA_DIR: join(server.folder, "data"),
      LOG_LEVEL: "error",
    },
  });
  await family.started;
  await waitForFreshPrices(server);
  return family;
}

/** A first epoch begins some seconds after its commitment; until then there is no fresh price to place an order on. */
export async function waitForFreshPrices(server: BenchServer): Promise<void> {
  await waitUntil("fresh prices", async () => {
    const { rows } = await server.admin.query(
      "SELECT 1 FROM instrument_clock HAVING min(time) > extract(epoch FROM clock_timestamp()) * 1000 - 1000",
    );
    return rows.length > 0;
  });
}
