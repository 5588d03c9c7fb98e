/** A sparkline of prices over a dotted base line. Renders nothing with fewer than two points. */
export function Course({
  points,
  base,
  direction,
  width = 48,
  height = 24,
}: {
  /** Prices, oldest first. */
  readonly points: readonly number[];
  /** Price of the dotted line: the day's open or an order's entry; null for none. */
  readonly base: number | null;
  readonly direction: "up" | "down" | "flat";
  readonly width?: number;
  readonly height?: number;
}) {
  const all = base === null ? points : [...points, base];
  const least = Math.min(...all);
  const span = Math.max(...all) - least || 1;
  const step = (width - 2) / Math.max(points.length - 1, 1);
  const y = (price: number) => (height - 2 - ((price - least) / span) * (height - 4)).toFixed(1);
  const line = points.map((point, at) => `${(1 + at * step).toFixed(1)} ${y(point)}`).join("L");
  return (
    <svg
      className={`course ${direction}`}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      {base !== null && <path className="course-base" d={`M0 ${y(base)}H${width}`} />}
      {points.length > 1 && <path d={`M${line}`} />}
    </svg>
  );
}
