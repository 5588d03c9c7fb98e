import { startChainWatchers } from "../features/chain/index.ts";
import { startPayouts } from "../features/payouts/index.ts";
import { sweepRound } from "../features/sweeps/index.ts";
import type { Parts } from "./parts.ts";

/** Starts watching the chains for deposits, paying withdrawals and sweeping deposits. */
export function startChainRole({ process: process_, ids, signer }: Parts): void {
  const { health, shutdown } = process_;
  const watchers = startChainWatchers({
    ...process_,
    ids,
    onChainTrouble: (chain, cause) => health.set(`chain ${chain}`, cause),
  });
  shutdown.add("chains", () => watchers.close());
  const payouts = startPayouts({ ...process_, ids, signer: signer() }, sweepRound);
  shutdown.add("payouts", () => payouts.close());
}
