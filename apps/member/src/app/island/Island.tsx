import type { Order } from "@fairtick/protocol";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { putAway, useEndings } from "../../data/endings.ts";
import { LISTED_AT_HOME, usePositions } from "../../data/orders.ts";
import { useLoggedIn } from "../../data/session.ts";
import { useWallet } from "../../data/wallet.ts";
import { currentPlace, watchPlace, type Place } from "../../shared/navigation.tsx";
import { useListed } from "../desk/dock/listed.ts";
import { IslandResult } from "./IslandResult.tsx";
import { RunningLine } from "./RunningLine.tsx";
import { useRunning } from "./use-running.ts";
import "./island.css";

const ORDER_SCREEN = "/pages/trade/trade";
const ORDERS = "/pages/order/index";
const HOMES: ReadonlySet<string> = new Set(["/", "/pages/home/index"]);

/**
 * A line under every screen's header with the order that ends next, its time left and how it stands. When an order
 * ends, the line opens to show the result. It leaves out the orders that the screen itself shows.
 */
export function Island() {
  return useLoggedIn() ? <OwnIsland /> : null;
}

/** Returns whether the screen or the dock lists a running order itself. */
function useIsListed({ path, search }: Place): (order: Order) => boolean {
  const wallet = useWallet();
  const inDock = useListed();
  const newest = usePositions(wallet).data?.items.slice(0, LISTED_AT_HOME) ?? [];
  if (HOMES.has(path)) return ({ orderNo }) => newest.some((order) => order.orderNo === orderNo);
  const listsAll = path === ORDERS && search["tab"] !== "history";
  return (order) => order.wallet === inDock || (listsAll && order.wallet === wallet);
}

function OwnIsland() {
  const place = useSyncExternalStore(watchPlace, currentPlace);
  const onScreen = place.path === ORDER_SCREEN ? place.search["orderNo"] : undefined;
  const isListed = useIsListed(place);
  const running = useRunning().filter((order) => order.orderNo !== onScreen && !isListed(order));
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
