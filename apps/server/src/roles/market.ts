import { startMarketRole } from "./market-role.ts";
import { runRole } from "./run-role.ts";

await runRole("market", startMarketRole);
