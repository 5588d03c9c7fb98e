import { useMemo } from "react";
import type { TrailPoint } from "../../../data/candles.ts";
import { formatPrice } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { apart, areaOf, CHART_WIDTH, pathOf, PLOT_WIDTH, scaleOf, type Stops } from "./area-geometry.ts";

const TAG_HEIGHT = 18;
const LABEL_X = 275;

export interface PriceAreaProps {
  readonly points: readonly TrailPoint[];
  readonly decimals: number;
  readonly height: number;
  /** Instants and where they lie; the first is where the line begins. */
  readonly stops: Stops;
  /** The newest price, or the exit: a dot, a dotted line and a tag. */
  readonly live: { readonly at: number; readonly price: string } | null;
  readonly entry?: { readonly at: number; readonly price: string } | null;
  /** A vertical line with its word under it. */
  readonly mark?: { readonly at: number; readonly label: string; readonly anchor: "middle" | "end" } | null;
  /** Words under the plot. */
  readonly times: readonly { readonly at: number; readonly label: string }[];
}

/** Where the price went, with entry, delivery and the newest price. Its size never changes. */
export function PriceArea({ points, decimals, height, stops, live, entry, mark, times }: PriceAreaProps) {
  const t = useText();
  const from = stops[0]?.[0] ?? 0;
  const levels = [live, entry].flatMap((level) => (level ? [Number(level.price)] : []));
  const drawn = useMemo(
    () => {
      const scale = scaleOf(points, levels, stops, height, decimals);
      return { scale, path: pathOf(points, scale, from), area: areaOf(points, scale, from, height) };
    },
    // Levels and stops are new arrays each time; their figures decide.
    // oxlint-disable-next-line react/exhaustive-deps
    [points, levels.join(), stops.join(), height, decimals, from],
  );
  const { x, y, grid } = drawn.scale;
  const tags = [live, entry].flatMap((level) => (level ? [y(Number(level.price))] : []));
  const tagged = apart(tags, TAG_HEIGHT + 2, height);
  const [liveTag = 0, entryTag = liveTag] = tagged;
  const entryAt = entry && !live ? liveTag : entryTag;
  const clear = grid.filter((price) => tagged.every((tag) => Math.abs(tag - y(price)) > TAG_HEIGHT));
  return (
    <svg
      className="chart order-chart"
      viewBox={`0 0 ${CHART_WIDTH} ${height + 18}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing of live figures is no image file
      role="img"
      aria-label={t("order.chartLabel")}
      data-testid="price-area"
    >
      {clear.map((price) => (
        <g key={price}>
          <path className="grid" d={`M0 ${y(price).toFixed(1)}H${PLOT_WIDTH}`} />
          <text x={LABEL_X} y={y(price) + 4}>
            {formatPrice(price.toFixed(decimals), decimals)}
          </text>
        </g>
      ))}
      {times.map(({ at, label }) => (
        <text key={at} x={x(at)} y={height + 16} textAnchor="middle">
          {label}
        </text>
      ))}
      {drawn.area !== "" && <path className="area" d={drawn.area} />}
      {drawn.path !== "" && <path className="path" d={drawn.path} />}
      {mark && (
        <>
          <path className="expiry" d={`M${x(mark.at).toFixed(1)} 0V${height}`} />
          <text x={mark.anchor === "end" ? PLOT_WIDTH : x(mark.at)} y={height + 16} textAnchor={mark.anchor}>
            {mark.label}
          </text>
        </>
      )}
      {entry && (
        <>
          <path className="entry" d={`M${x(entry.at).toFixed(1)} ${y(Number(entry.price)).toFixed(1)}H${PLOT_WIDTH}`} />
          <circle className="entry-dot" cx={x(entry.at)} cy={y(Number(entry.price))} r="3.5" />
          <text x={x(entry.at)} y={height + 16} textAnchor="middle">
            {t("order.entry")}
          </text>
          <rect className="entry-tag" x={LABEL_X - 5} y={entryAt - 9} width="68" height={TAG_HEIGHT} rx="4" />
          <text x={LABEL_X} y={entryAt + 4.3}>
            {formatPrice(entry.price, decimals)}
          </text>
        </>
      )}
      {live && (
        <>
          <path className="live" d={`M${x(live.at).toFixed(1)} ${y(Number(live.price)).toFixed(1)}H${PLOT_WIDTH}`} />
          <rect className="tag" x={LABEL_X - 5} y={liveTag - 9} width="68" height={TAG_HEIGHT} rx="4" />
          <text x={LABEL_X} y={liveTag + 4.3}>
            {formatPrice(live.price, decimals)}
          </text>
          <circle className="dot" cx={x(live.at)} cy={y(Number(live.price))} r="3.5" />
        </>
      )}
    </svg>
  );
}
