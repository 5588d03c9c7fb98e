import { overviewRead } from "@fairtick/protocol/operator";
import { Button, FailedState } from "@fairtick/ui";
import { useRead } from "../../data/queries.ts";
import { instant } from "../../shared/format.ts";
import { useRefreshWhileUsed } from "../../shared/use-refresh-while-used.ts";
import { WORDS } from "../../shared/words.ts";
import { Exposure, HouseResult } from "./HouseBlocks.tsx";
import { NeedsYou } from "./NeedsYou.tsx";
import type { Overview } from "./overview.ts";
import { Alarms, Prices, Trust, WithdrawalsWaiting } from "./WatchBlocks.tsx";

const EVERY_MS = 10_000;

/** The console's start page: what waits for people, alarms, and the house's figures. It is read-only. */
export function OverviewScreen() {
  const read = useRead(overviewRead, {});
  useRefreshWhileUsed(() => void read.refetch(), EVERY_MS);
  return (
    <main className="queue overview">
      <header className="office-head">
        <h1 className="heading" tabIndex={-1}>
          {WORDS.screens.overview}
        </h1>
        <div className="tools">
          {read.data && <span className="label soft">{instant(read.data.at)} UTC</span>}
          <Button lowkey onClick={() => void read.refetch()}>
            Refresh
          </Button>
        </div>
      </header>
      {read.error && (
        <FailedState title={read.error.message} retryLabel={WORDS.retry} onRetry={() => void read.refetch()} />
      )}
      {read.isPending && <p className="part soft">{WORDS.reading}</p>}
      {read.data && <Blocks overview={read.data} />}
    </main>
  );
}

function Blocks({ overview }: { readonly overview: Overview }) {
  const { at, alarms, exposure, withdrawals, prices } = overview;
  return (
    <div className="blocks">
      <NeedsYou overview={overview} />
      {alarms && <Alarms alarms={alarms} at={at} />}
      {exposure && <Exposure exposure={exposure} />}
      <HouseResult result={overview.result} />
      {withdrawals && <WithdrawalsWaiting withdrawals={withdrawals} at={at} />}
      <Prices prices={prices} at={at} />
      <Trust overview={overview} />
    </div>
  );
}
