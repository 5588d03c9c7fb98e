import { overviewRead } from "@fairtick/protocol/operator";
import { Button, FailedState } from "@fairtick/ui";
import { useEffect, useRef } from "react";
import { useRead } from "../../data/queries.ts";
import { instant } from "../../shared/format.ts";
import { WORDS } from "../../shared/words.ts";
import { Exposure, HouseResult } from "./HouseBlocks.tsx";
import { NeedsYou } from "./NeedsYou.tsx";
import type { Overview } from "./overview.ts";
import { Alarms, Prices, Trust, WithdrawalsWaiting } from "./WatchBlocks.tsx";

const EVERY_MS = 10_000;
/** Nobody has touched the page for so long: it stops asking, so that the session can end. */
const IDLE_MS = 300_000;

/** The console's start: what waits for people, alarms, and the house's figures. It shows figures and changes none. */
export function OverviewScreen() {
  const read = useRead(overviewRead, {});
  useRefreshWhileUsed(() => void read.refetch());
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

/** Reads again every ten seconds while the page is in view and somebody is using it. */
function useRefreshWhileUsed(refresh: () => void): void {
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });
  useEffect(() => {
    let usedAt = performance.now();
    const use = () => {
      usedAt = performance.now();
    };
    const timer = setInterval(() => {
      if (document.visibilityState === "visible" && performance.now() - usedAt < IDLE_MS) latest.current();
    }, EVERY_MS);
    for (const event of ["pointermove", "keydown", "pointerdown"] as const) addEventListener(event, use);
    return () => {
      clearInterval(timer);
      for (const event of ["pointermove", "keydown", "pointerdown"] as const) removeEventListener(event, use);
    };
  }, []);
}
