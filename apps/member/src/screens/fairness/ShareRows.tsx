import { Toward } from "@fairtick/ui";
import { useInstruments } from "../../data/instruments.ts";
import type { Sums } from "../../data/fairness.ts";
import { formatCount, formatDuration, formatRate } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { VOIDS } from "./voids.ts";

type Row = Pick<Sums, "orders" | "won" | "lost" | "tied" | "voided" | "share" | "shareFrom" | "shareTo"> & {
  readonly name?: string;
  readonly symbol?: string;
  readonly duration?: number;
  readonly direction?: "up" | "down";
};

const WIDTH = 320;
const HEIGHT = 16;

/** Rows of win rates, each drawn against the band that chance alone explains, with the figures beside it. */
export function ShareRows({ rows, counted = false }: { readonly rows: readonly Row[]; readonly counted?: boolean }) {
  return (
    <>
      <ul className="fairness-rows">
        {rows.map((row) => (
          <li key={[row.symbol, row.duration, row.direction].join(" ")} data-testid="share-row">
            <ShareRow row={row} counted={counted} />
          </li>
        ))}
      </ul>
      {!counted && <PlotNote />}
    </>
  );
}

export function PlotNote() {
  const t = useText();
  return <p className="note soft">{t("fairness.plotNote")}</p>;
}

/** One row. With `counted` it also shows the outcomes and the reasons for voids. */
export function ShareRow({ row, counted = false }: { readonly row: Row; readonly counted?: boolean }) {
  const t = useText();
  const instruments = useInstruments().data;
  const name = row.name ?? instruments?.find(({ symbol }) => symbol === row.symbol)?.name ?? row.symbol ?? "";
  return (
    <>
      <span className="label fairness-row">
        <span className="grow">
          {name} {row.duration !== undefined && formatDuration(row.duration)}{" "}
          {row.direction !== undefined && <Toward direction={row.direction}>{t(`shell.${row.direction}`)}</Toward>}
        </span>
        <span className="note soft">{t("fairness.count", { count: row.orders })}</span>
        <span className="figure">{row.share === null ? "–" : formatRate(row.share)}</span>
      </span>
      {counted && <Outcomes row={row} />}
      <Strip row={row} />
    </>
  );
}

function Outcomes({ row }: { readonly row: Row }) {
  const t = useText();
  const parts = [
    ...(["won", "lost", "tied"] as const).map((outcome) => [t(`orders.outcome.${outcome}`), row[outcome]] as const),
    ...VOIDS.map(
      (reason) => [`${t("orders.outcome.voided")} (${t(`orders.void.${reason}`)})`, row.voided[reason]] as const,
    ),
  ];
  return (
    <span className="note soft fairness-outcomes">
      {parts
        .filter(([, count], index) => index < 3 || count > 0)
        .map(([name, count]) => `${name} ${formatCount(count)}`)
        .join(" · ")}
    </span>
  );
}

function Strip({ row }: { readonly row: Row }) {
  const t = useText();
  if (row.share === null || row.shareFrom === null || row.shareTo === null) return null;
  const [from, to, at] = [row.shareFrom, row.shareTo, row.share].map((share) => Number(share) * WIDTH) as [
    number,
    number,
    number,
  ];
  const said = t("fairness.chance", { from: formatRate(row.shareFrom), to: formatRate(row.shareTo) });
  const outside = at < from || at > to;
  return (
    <>
      <svg className="fairness-strip" viewBox={`-8 0 ${WIDTH + 16} ${HEIGHT}`} aria-hidden="true">
        <line className="axis" x1={0} x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        <rect className="band" x={from} width={Math.max(1, to - from)} y={3} height={HEIGHT - 6} />
        <line className="half" x1={WIDTH / 2} x2={WIDTH / 2} y1={0} y2={HEIGHT} />
        <circle className={outside ? "dot outside" : "dot"} cx={at} cy={HEIGHT / 2} r={5} />
      </svg>
      <span className="note soft fairness-chance">{said}</span>
    </>
  );
}
