import { markedColumns, type Bar } from "./plot-scale.ts";
import { formatDate } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";

/** Size of the drawing's coordinates, stretched to the screen's width. */
const WIDTH = 320;
const HEIGHT = 96;
/** Minimum number of columns that the width is divided into, so that a single week isn't too wide. */
const COLUMNS_LEAST = 8;

export interface Column {
  /** The week's first instant, ms. */
  readonly start: number;
  /** The column's total, as a number and formatted. */
  readonly amount: number;
  readonly figure: string;
  readonly bars: readonly (Bar & { readonly look: string })[];
}

/** A column for each week, the notable ones with their figure. The table below has all figures. */
export function WeekPlot({
  what,
  columns,
  zero,
}: {
  readonly what: string;
  readonly columns: readonly Column[];
  /** Distance of the zero line from the top. */
  readonly zero: number;
}) {
  const t = useText();
  const places = Math.max(columns.length, COLUMNS_LEAST);
  const step = WIDTH / places;
  const first = columns[0];
  const last = columns.at(-1);
  return (
    <figure className="figures-plot" aria-label={t("figures.plotOf", { what, weeks: columns.length })}>
      <div className="figures-area" aria-hidden="true">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
          {columns.map(({ start, bars }, place) =>
            bars.map(({ top, height, look }, part) => (
              <rect
                key={`${start}-${part}`}
                className={look}
                x={(place + 0.15) * step}
                width={step * 0.7}
                y={top * HEIGHT}
                // Keep a small amount visible.
                height={height === 0 ? 0 : Math.max(1, height * HEIGHT)}
              />
            )),
          )}
          <line className="figures-zero" x1={0} x2={WIDTH} y1={zero * HEIGHT} y2={zero * HEIGHT} />
        </svg>
        <Marks columns={columns} places={places} />
      </div>
      <figcaption className="note soft figures-span" aria-hidden="true">
        <span>{first && formatDate(first.start)}</span>
        {columns.length > 1 && <span>{last && formatDate(last.start)}</span>}
      </figcaption>
    </figure>
  );
}

/** Figures on the columns: above a gain, below a loss. */
function Marks({ columns, places }: { readonly columns: readonly Column[]; readonly places: number }) {
  const marked = markedColumns(
    columns.map(({ amount }) => amount),
    places,
  );
  return columns.map(({ start, amount, figure, bars }, place) => {
    if (!marked.includes(place)) return null;
    const edge = amount < 0 ? Math.max(...bars.map(bottomOf)) : Math.min(...bars.map(({ top }) => top));
    return (
      <span
        key={start}
        className={amount < 0 ? "figures-mark below figure" : "figures-mark figure"}
        style={{ left: `${((place + 0.5) / places) * 100}%`, top: `${edge * 100}%` }}
      >
        {figure}
      </span>
    );
  });
}

function bottomOf({ top, height }: Bar): number {
  return top + height;
}
