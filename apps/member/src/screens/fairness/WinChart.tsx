import type { Fairness } from "../../data/fairness.ts";
import { formatCount, formatDay, formatRate } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { PlotNote } from "./ShareRows.tsx";
import { type PlottedDay, plotDays } from "./plot-days.ts";

type Day = Fairness["byDay"][number];

/** Size of the drawing's coordinates. It is stretched to the available width. */
const WIDTH = 1_000;
const HEIGHT = 100;

/**
 * Every day's win rate within the band that chance alone explains. The numbers are HTML text, so that they scale with
 * the text size.
 */
export function WinChart({ days }: { readonly days: readonly Day[] }) {
  const t = useText();
  const plot = plotDays(days);
  const [first, last] = [plot.days[0], plot.days.at(-1)];
  if (first === undefined || last === undefined) return null;
  const outside = plot.days.filter((day) => day.isOutside);
  const said = t("fairness.chart.said", {
    count: plot.days.length,
    share: formatRate(last.share),
    day: formatDay(last.day),
    outside: formatCount(outside.length),
  });
  return (
    <section className="card" data-testid="fairness-chart">
      <h2 className="label">{t("fairness.chart")}</h2>
      <p className="unseen">{said}</p>
      <div className="fairness-chart" aria-hidden="true">
        <div className="fairness-scale note soft">
          {[0.5 + plot.reach, 0.5, 0.5 - plot.reach].map((share) => (
            <span key={share}>{formatRate(String(share))}</span>
          ))}
        </div>
        <Drawing days={plot.days} />
        <div className="fairness-days note soft">
          <span>{formatDay(first.day)}</span>
          {first !== last && <span>{formatDay(last.day)}</span>}
        </div>
      </div>
      <ul className="fairness-named note">
        {[...new Set([...outside.slice(-3), last])].map((day) => (
          <li key={day.day}>
            <span className="soft">{formatDay(day.day)}</span> <span className="figure">{formatRate(day.share)}</span>{" "}
            <span className="soft">
              {t("fairness.chance", { from: formatRate(day.shareFrom), to: formatRate(day.shareTo) })}
            </span>
          </li>
        ))}
      </ul>
      <PlotNote />
    </section>
  );
}

function Drawing({ days }: { readonly days: readonly PlottedDay[] }) {
  const slot = WIDTH / days.length;
  const y = (height: number) => (1 - height) * HEIGHT;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
      {days.map((day, place) => (
        <rect
          key={day.day}
          className="band"
          x={place * slot + slot * 0.15}
          width={slot * 0.7}
          y={y(day.to)}
          height={Math.max(1, y(day.from) - y(day.to))}
        />
      ))}
      <line className="half" x1={0} x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      {days.map((day, place) => {
        const [x, at] = [(place + 0.5) * slot, y(day.at)];
        // A zero-length line with round ends stays round however wide the drawing is.
        return <line key={day.day} className={day.isOutside ? "dot outside" : "dot"} x1={x} x2={x} y1={at} y2={at} />;
      })}
    </svg>
  );
}
