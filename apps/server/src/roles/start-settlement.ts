import { startSettlement } from "../features/settlement/index.ts";
import type { Parts } from "./parts.ts";

/** Starts settling due orders. Any number of processes may do so. */
export async function startSettlementRole({ process: process_, configs, node }: Parts): Promise<void> {
  const { databases, bus, log, health, shutdown } = process_;
  const { settlementStripe } = await node();
  const settlement = startSettlement({
    database: databases.settlement,
    bus,
    log,
    configs,
    firstStripe: settlementStripe,
    onTrouble: (reason) => {
      health.set("settlement", reason);
    },
  });
  shutdown.add("settlement", () => settlement.close());
}
