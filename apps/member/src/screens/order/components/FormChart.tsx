import type { Instrument } from "@fairtick/protocol";
import { useSyncExternalStore } from "react";
import { usePriceTrail } from "../../../data/price-trail.ts";
import { usePrice } from "../../../data/prices.ts";
import { formatMinute } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { serverNow } from "../../../shared/server-clock.ts";
import { PriceArea } from "./PriceArea.tsx";

const SPAN_MS = 180_000;
const MINUTE_MS = 60_000;
/** Where now and the delivery stand. */
const NOW_X = 192;
const DELIVERY_X = 256;

/** The last three minutes, and where the delivery would lie if the order began now. */
export function FormChart({ instrument, duration }: { readonly instrument: Instrument; readonly duration: number }) {
  const t = useText();
  const points = usePriceTrail(instrument.symbol, { spanMs: SPAN_MS });
  const live = usePrice(instrument.symbol, "frame");
  const height = useChartHeight();
  // A quiet market still moves along; without a tick yet the server's clock gives the place.
  const now = Math.max(live?.at ?? 0, points.at(-1)?.at ?? 0) || Math.floor(serverNow());
  const firstMinute = Math.ceil((now - SPAN_MS) / MINUTE_MS) * MINUTE_MS;
  const times = [0, 1, 2]
    .map((minute) => firstMinute + minute * MINUTE_MS)
    .filter((at) => at > now - SPAN_MS + 20_000 && at <= now)
    .map((at) => ({ at, label: formatMinute(at) }));
  return (
    <div className="order-area">
      <PriceArea
        points={points}
        decimals={instrument.decimals}
        height={height}
        stops={[
          [now - SPAN_MS, 0],
          [now, NOW_X],
          [now + duration * 1000, DELIVERY_X],
        ]}
        live={live ? { at: now, price: live.price } : null}
        mark={{ at: now + duration * 1000, label: t("order.deliveryMark"), anchor: "end" }}
        times={times}
      />
    </div>
  );
}

/** On a low screen the chart gives way to the fields under it. */
function useChartHeight(): number {
  return useSyncExternalStore(watchSize, fittingHeight);
}

function fittingHeight(): number {
  if (innerHeight > 700) return 108;
  return innerHeight > 600 ? 64 : 48;
}

function watchSize(watcher: () => void): () => void {
  addEventListener("resize", watcher);
  return () => removeEventListener("resize", watcher);
}
