import { startChainWatchers } from "../features/chain/index.ts";
import { startPayouts } from "../features/withdrawals/index.ts";
import type { Parts } from "./parts.ts";

/** Watches the chains for deposits, and pays withdrawals out. */
export function startChainRole({ process: process_, ids, signer }: Parts): void {
  const { health, shutdown } = process_;
  const watchers = startChainWatchers({
    ...process_,
    ids,
    onChainTrouble: (chain, cause) => health.set(`chain ${chain}`, cause),
  });
  shutdown.add("chains", () => watchers.close());
  const payouts = startPayouts({ ...process_, ids, signer: signer() });
  shutdown.add("payouts", () => payouts.close());
}
