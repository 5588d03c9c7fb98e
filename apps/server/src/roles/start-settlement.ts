import { boardNames } from "../features/boards/index.ts";
import { startSettlement } from "../features/settlement/index.ts";
import type { Parts } from "./parts.ts";

/** Starts settling due orders. Any number of processes may do so. */
export async function startSettlementRole({ process: process_, configs, node }: Parts): Promise<void> {
  const { databases, bus, config, log, health, shutdown } = process_;
  const { settlementStripe } = await node();
  const settlement = startSettlement({
    database: databases.settlement,
    bus,
    log,
    configs,
    firstStripe: settlementStripe,
    boards: boardNames(config.witnesses),
    onTrouble: (reason) => {
      health.set("settlement", reason);
    },
  });
  shutdown.add("settlement", () => settlement.close());
}
