import type { Order } from "@fairtick/protocol";
import { usePriceTrail } from "../../data/price-trail.ts";

const [WIDTH, HEIGHT, EDGE] = [56, 24, 3] as const;

/** A sparkline of the price from an order's entry to its exit. Renders nothing if the order lacks either. */
export function EndedPath({ order }: { readonly order: Order }) {
  const { entryAt, exitAt, entryPrice } = order;
  if (entryAt === null || exitAt === null || entryPrice === null) return null;
  return <Path symbol={order.symbol} from={entryAt} to={exitAt} entry={Number(entryPrice)} />;
}

function Path({
  symbol,
  from,
  to,
  entry,
}: {
  readonly symbol: string;
  readonly from: number;
  readonly to: number;
  readonly entry: number;
}) {
  const points = usePriceTrail(symbol, { from, to }).filter(({ at }) => at >= from && at <= to);
  const all = [entry, ...points.map(({ price }) => price)];
  const low = Math.min(...all);
  const span = Math.max(...all) - low || 1;
  const x = (at: number) => EDGE + ((at - from) / Math.max(to - from, 1)) * (WIDTH - 2 * EDGE);
  const y = (price: number) => HEIGHT - EDGE - ((price - low) / span) * (HEIGHT - 2 * EDGE);
  const last = points.at(-1);
  return (
    <svg className="island-path" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path className="entry" d={`M0 ${y(entry).toFixed(1)}H${WIDTH}`} />
      {last !== undefined && points.length > 1 && (
        <>
          <path
            className="way"
            pathLength={1}
            d={`M${points.map(({ at, price }) => `${x(at).toFixed(1)} ${y(price).toFixed(1)}`).join("L")}`}
          />
          <circle cx={x(last.at)} cy={y(last.price)} r="2.5" />
        </>
      )}
    </svg>
  );
}
