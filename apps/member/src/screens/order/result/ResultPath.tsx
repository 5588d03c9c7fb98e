import type { Order } from "@fairtick/protocol";
import { useEffect, useRef, useState, type RefObject } from "react";
import { profitIf } from "../../../components/orders/order-figures.ts";
import type { TrailPoint } from "../../../data/candles.ts";
import { usePriceTrail } from "../../../data/price-trail.ts";
import { formatGain, formatPrice, formatTime } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { apart, pathOf, scaleOf } from "../components/area-geometry.ts";

/** Height of the times below the plot. */
const TIMES_HEIGHT = 22;
const TAG_HEIGHT = 20;
/** Time shown before the entry, as a share of the duration. */
const BEFORE = 0.08;
/** Width of a digit in the chart's font. */
const DIGIT = 7;

/**
 * The price from an order's entry to its exit, with the winning side shaded. Its size is the same for every outcome.
 */
export function ResultPath({ order, decimals }: { readonly order: Order; readonly decimals: number }) {
  const box = useRef<HTMLDivElement>(null);
  const size = useBoxSize(box);
  const { entryAt, entryPrice, exitAt, exitPrice } = order;
  const isDrawn = entryAt !== null && entryPrice !== null && exitAt !== null && exitPrice !== null;
  return (
    <div className="result-path" ref={box}>
      {isDrawn && size !== null && (
        <Path
          order={order}
          decimals={decimals}
          width={size.width}
          height={size.height - TIMES_HEIGHT}
          entry={{ at: entryAt, price: entryPrice }}
          exit={{ at: exitAt, price: exitPrice }}
        />
      )}
    </div>
  );
}

interface Level {
  readonly at: number;
  readonly price: string;
}

interface PathProps {
  readonly order: Order;
  readonly decimals: number;
  readonly width: number;
  /** Height of the plot, above the times. */
  readonly height: number;
  readonly entry: Level;
  readonly exit: Level;
}

function Path({ order, decimals, width, height, entry, exit }: PathProps) {
  const t = useText();
  const end = order.expiresAt ?? exit.at;
  const tagWidth = formatPrice(exit.price, decimals).length * DIGIT + 16;
  const plot = width - tagWidth - 4;
  const from = Math.floor(entry.at - order.duration * 1000 * BEFORE);
  const trail = usePriceTrail(order.symbol, { from, to: exit.at });
  const points = wholeWay(trail, entry, exit);
  const scale = scaleOf(
    points,
    [Number(entry.price), Number(exit.price)],
    [
      [from, 0],
      [end, plot * 0.9],
    ],
    height,
    decimals,
  );
  const [x0, y0] = [scale.x(entry.at), scale.y(Number(entry.price))];
  const [x1, y1] = [scale.x(exit.at), scale.y(Number(exit.price))];
  const [exitTag = y1, entryTag = y0] = apart([y1, y0], TAG_HEIGHT + 2, height);
  return (
    <svg
      className="chart result-chart"
      width={width}
      height={height + TIMES_HEIGHT}
      viewBox={`0 0 ${width} ${height + TIMES_HEIGHT}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing of an order's figures is no image file
      role="img"
      aria-label={t("result.pathLabel")}
      data-testid="result-path"
    >
      <Sides order={order} left={x0} right={scale.x(end)} level={y0} height={height} />
      <path
        className="path result-before"
        d={pathOf(
          points.filter(({ at }) => at <= entry.at),
          scale,
          from,
        )}
      />
      <path className="entry" d={`M${x0.toFixed(1)} ${y0.toFixed(1)}H${plot.toFixed(1)}`} />
      <path className="result-expiry" d={`M${scale.x(end).toFixed(1)} 0V${height}`} />
      {trail.length > 0 && (
        <path
          className="path result-way"
          pathLength={1}
          d={pathOf(
            points.filter(({ at }) => at >= entry.at),
            scale,
            from,
          )}
        />
      )}
      <circle className="entry-dot" cx={x0} cy={y0} r="4" />
      <Tag
        className="entry-tag"
        x={plot + 4}
        y={entryTag}
        width={tagWidth}
        words={formatPrice(entry.price, decimals)}
      />
      <text x={Math.max(x0, 28)} y={height + 16} textAnchor="middle">
        {formatTime(entry.at)}
      </text>
      <text className="result-end" x={scale.x(end)} y={height + 16} textAnchor="middle">
        {formatTime(end)}
      </text>
      <g className="result-landing">
        <ExitDot outcome={order.outcome} x={x1} y={y1} />
        <Tag className="tag" x={plot + 4} y={exitTag} width={tagWidth} words={formatPrice(exit.price, decimals)} />
      </g>
    </svg>
  );
}

/** The areas above and below the entry with what each side brings. None if the order's direction isn't known. */
function Sides({
  order,
  left,
  right,
  level,
  height,
}: {
  readonly order: Order;
  readonly left: number;
  readonly right: number;
  readonly level: number;
  readonly height: number;
}) {
  const t = useText();
  if (order.direction === null) return null;
  const [won, lost] = [formatGain(profitIf(order, "won")), formatGain(profitIf(order, "lost"))];
  const isUp = order.direction === "up";
  const middle = (left + right) / 2;
  const width = right - left;
  return (
    <>
      <rect className={isUp ? "result-side up" : "result-side down"} x={left} y="0" width={width} height={level} />
      <rect
        className={isUp ? "result-side down" : "result-side up"}
        x={left}
        y={level}
        width={width}
        height={height - level}
      />
      {level > 24 && (
        <text className={isUp ? "up" : "down"} x={middle} y="14" textAnchor="middle">
          {t("result.aboveSide", { gain: isUp ? won : lost })}
        </text>
      )}
      {height - level > 24 && (
        <text className={isUp ? "down" : "up"} x={middle} y={height - 6} textAnchor="middle">
          {t("result.belowSide", { gain: isUp ? lost : won })}
        </text>
      )}
    </>
  );
}

/** The exit's marker: full if won, hollow if lost, square if tied or voided. */
function ExitDot({ outcome, x, y }: { readonly outcome: Order["outcome"]; readonly x: number; readonly y: number }) {
  if (outcome === "tied" || outcome === "voided") {
    return <rect className={`result-dot ${outcome}`} x={x - 4.5} y={y - 4.5} width="9" height="9" rx="1.5" />;
  }
  return <circle className={`result-dot ${outcome ?? ""}`} cx={x} cy={y} r="5" />;
}

interface TagProps {
  readonly className: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly words: string;
}

function Tag({ className, x, y, width, words }: TagProps) {
  return (
    <>
      <rect className={className} x={x} y={y - TAG_HEIGHT / 2} width={width} height={TAG_HEIGHT} rx="4" />
      <text x={x + width / 2} y={y + 4.3} textAnchor="middle">
        {words}
      </text>
    </>
  );
}

/** Returns the trail including both ticks, even if it was thinned out. */
function wholeWay(trail: readonly TrailPoint[], entry: Level, exit: Level): readonly TrailPoint[] {
  const before = trail.filter(({ at }) => at < entry.at);
  const between = trail.filter(({ at }) => at > entry.at && at < exit.at);
  const point = ({ at, price }: Level) => ({ at, price: Number(price) });
  return [...before, point(entry), ...between, point(exit)];
}

/** Returns the size that the style sheet gives the box; null before it was measured. */
function useBoxSize(box: RefObject<HTMLElement | null>): { readonly width: number; readonly height: number } | null {
  const [size, setSize] = useState<{ readonly width: number; readonly height: number } | null>(null);
  useEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const observer = new ResizeObserver(() => {
      setSize({ width: current.clientWidth, height: current.clientHeight });
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [box]);
  return size;
}
