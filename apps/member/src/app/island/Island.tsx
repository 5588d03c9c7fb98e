import { useEffect, useMemo, useSyncExternalStore } from "react";
import { putAway, useEndings } from "../../data/endings.ts";
import { useLoggedIn } from "../../data/session.ts";
import { useWallet } from "../../data/wallet.ts";
import { currentPlace, watchPlace } from "../../shared/navigation.tsx";
import { useListed } from "../desk/dock/listed.ts";
import { IslandResult } from "./IslandResult.tsx";
import { RunningLine } from "./RunningLine.tsx";
import { useRunning } from "./use-running.ts";
import "./island.css";

const ORDER_SCREEN = "/pages/trade/trade";
const ORDERS = "/pages/order/index";

/**
 * A line under every screen's header with the order that ends next, its time left and how it stands. When an order
 * ends, the line opens to show the result. It leaves out the orders that the screen itself shows.
 */
export function Island() {
  return useLoggedIn() ? <OwnIsland /> : null;
}

function OwnIsland() {
  const place = useSyncExternalStore(watchPlace, currentPlace);
  const onScreen = place.path === ORDER_SCREEN ? place.search["orderNo"] : undefined;
  const wallet = useWallet();
  const listed = useListed();
  const listsRunning = place.path === ORDERS && place.search["tab"] !== "history";
  const running = useRunning().filter(
    (order) => order.orderNo !== onScreen && order.wallet !== listed && !(listsRunning && order.wallet === wallet),
  );
  const endings = useEndings();
  const seenHere = useMemo(
    () => endings.filter(({ orderNo }) => orderNo === onScreen).map(({ orderNo }) => orderNo),
    [endings, onScreen],
  );
  // The order's own screen shows the result, so it counts as seen.
  useEffect(() => {
    if (seenHere.length > 0) putAway(seenHere);
  }, [seenHere]);
  const ended = endings.filter(({ orderNo }) => orderNo !== onScreen);
  return (
    <>
      {running.length > 0 && <RunningLine running={running} />}
      <IslandResult ended={ended} />
    </>
  );
}
