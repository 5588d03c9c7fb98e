import type { Instrument, Order } from "@fairtick/protocol";
import { usePriceTrail } from "../../../data/price-trail.ts";
import { usePrice } from "../../../data/prices.ts";
import { formatMinute } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { serverNow } from "../../../shared/server-clock.ts";
import type { Stops } from "./area-geometry.ts";
import { PriceArea } from "./PriceArea.tsx";

const BEFORE_MS_MAX = 180_000;

/** One order's price from shortly before its entry to its end. Moves along while it runs, stands still afterwards. */
export function OrderChart({
  order,
  instrument,
  height,
}: {
  readonly order: Order;
  readonly instrument: Instrument;
  readonly height: number;
}) {
  const t = useText();
  const settled = order.state === "settled";
  const { from, began, end } = shownSpan(order);
  const points = usePriceTrail(order.symbol, settled ? { from, to: order.exitAt ?? end } : { from });
  const live = usePrice(order.symbol, "frame");
  const now = live?.at ?? Math.floor(serverNow());
  const last = settled ? (order.exitAt ?? end) : Math.min(now, end);
  const stops: Stops = [
    [from, 0],
    [end, settled ? 248.5 : 260],
  ];
  const newest = settled ? order.exitPrice : (live?.price ?? null);
  const firstMinute = Math.ceil(from / 60_000) * 60_000;
  const room = (end - from) * 0.12;
  const times = [firstMinute].filter((at) => at > from + room / 2 && at < began - room);
  return (
    <div className="order-area">
      <PriceArea
        points={points.filter(({ at }) => at <= last)}
        decimals={instrument.decimals}
        height={height}
        stops={stops}
        live={newest === null ? null : { at: last, price: newest }}
        entry={entryOf(order)}
        mark={{
          at: end,
          label: settled ? t("order.exit") : t("order.deliveryMark"),
          anchor: settled ? "middle" : "end",
        }}
        times={times.map((at) => ({ at, label: formatMinute(at) }))}
      />
    </div>
  );
}

/** From where to where the chart goes; milliseconds since 1970. */
function shownSpan({ state, duration, entryAt, acceptedAt, expiresAt }: Order) {
  const lengthMs = duration * 1000;
  const began = entryAt ?? acceptedAt;
  const before = Math.min(lengthMs * (state === "settled" ? 0.25 : 1.25), BEFORE_MS_MAX);
  return { from: Math.floor(began - before), began, end: expiresAt ?? began + lengthMs };
}

function entryOf({ entryAt, entryPrice }: Order) {
  return entryAt === null || entryPrice === null ? null : { at: entryAt, price: entryPrice };
}
