import type { Instrument } from "@fairtick/protocol";
import { IconBell, IconClose, IconLink, IconStar, IconStarOn, IconTwoCharts, IconUnlink } from "@fairtick/ui";
import type { ChartController } from "../../../components/chart/chart-controller.ts";
import { InstrumentPicker } from "../../../components/market/InstrumentPicker.tsx";
import { LivePrice, SessionState, TodayChange } from "../../../components/market/live-figures.tsx";
import { setFavourite, useFavourites } from "../../../data/favourites.ts";
import { usePrice } from "../../../data/prices.ts";
import { useLoggedIn } from "../../../data/session.ts";
import { formatCount, formatPrice } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { instrumentWords } from "../../../shared/instrument-words.ts";
import { Link } from "../../../shared/navigation.tsx";
import { useServerNow } from "../../../shared/server-clock.ts";
import { showProduct, type DeskCharts, type DeskPlace } from "../desk-charts.ts";
import type { Breakpoint } from "../layout-store.ts";
import { useDayRange } from "../use-day-range.ts";
import { PaneSettings } from "./PaneSettings.tsx";

/** A chart's product with its price and today's figures, and the pane's own buttons. */
export function PaneHead({
  place,
  instrument,
  breakpoint,
  charts,
  controller,
}: {
  readonly place: DeskPlace;
  readonly instrument: Instrument;
  readonly breakpoint: Breakpoint;
  readonly charts: DeskCharts;
  readonly controller: ChartController;
}) {
  const isPair = charts.second !== null;
  return (
    <div className="pane-head">
      <Star instrument={instrument} />
      <h1 className="pane-product">
        <InstrumentPicker
          symbol={instrument.symbol}
          onPick={(symbol) => {
            charts.activate(place);
            showProduct(symbol);
          }}
        />
        <span className="note soft cut block">
          {instrumentWords(useText(), instrument)} · <SessionState instrument={instrument} />
        </span>
      </h1>
      <LivePrice instrument={instrument} pace="frame" className="pane-price figure" />
      <TodayChange instrument={instrument} />
      {breakpoint !== "tablet" && !isPair && <DayFigures instrument={instrument} />}
      <span className="pane-acts">
        {isPair && <Followed place={place} charts={charts} />}
        {breakpoint === "wide" && !isPair && <Two charts={charts} />}
        {!isPair && <Alerts instrument={instrument} />}
        <PaneSettings place={place} instrument={instrument} breakpoint={breakpoint} controller={controller} />
        {isPair && place === "second" && <CloseSecond charts={charts} />}
      </span>
    </div>
  );
}

function Star({ instrument }: { readonly instrument: Instrument }) {
  const t = useText();
  const isOn = useFavourites().includes(instrument.symbol);
  if (!useLoggedIn()) return null;
  return (
    <button
      type="button"
      className="tool"
      aria-pressed={isOn}
      aria-label={t("market.favouriteOf", { name: instrument.name })}
      onClick={() => void setFavourite(instrument.symbol, !isOn)}
    >
      {isOn ? <IconStarOn size="small" className="accent" /> : <IconStar size="small" className="soft" />}
    </button>
  );
}

function DayFigures({ instrument }: { readonly instrument: Instrument }) {
  const t = useText();
  const range = useDayRange(instrument);
  const at = usePrice(instrument.symbol)?.at ?? instrument.priceAt;
  const now = useServerNow(1_000);
  const price = (text: string | undefined) => (text === undefined ? "–" : formatPrice(text, instrument.decimals));
  const age = at === null ? "–" : t("desk.ago", { seconds: formatCount(Math.max(0, Math.round((now - at) / 1000))) });
  return (
    <dl className="pane-figures">
      <div>
        <dt>{t("desk.high")}</dt>
        <dd className="figure">{price(range?.high)}</dd>
      </div>
      <div>
        <dt>{t("desk.low")}</dt>
        <dd className="figure">{price(range?.low)}</dd>
      </div>
      <div>
        <dt>{t("desk.lastTick")}</dt>
        <dd className="figure">{age}</dd>
      </div>
    </dl>
  );
}

/** Says which of two charts the ticket follows, and whether both show one product. */
function Followed({ place, charts }: { readonly place: DeskPlace; readonly charts: DeskCharts }) {
  const t = useText();
  return (
    <>
      {charts.active === place ? (
        <span className="pill">{t("desk.followed")}</span>
      ) : (
        <button
          type="button"
          className="tool worded"
          onClick={() => {
            charts.activate(place);
          }}
        >
          {t("desk.follow")}
        </button>
      )}
      {place === "second" && (
        <button
          type="button"
          className="tool"
          aria-pressed={charts.isLinked}
          aria-label={t("desk.linked")}
          title={t("desk.linked")}
          onClick={() => {
            charts.link(!charts.isLinked);
          }}
        >
          {charts.isLinked ? <IconLink size="small" /> : <IconUnlink size="small" />}
        </button>
      )}
    </>
  );
}

/** A link to the price alerts of this product. */
function Alerts({ instrument }: { readonly instrument: Instrument }) {
  const t = useText();
  return (
    <Link
      className="tool"
      to="/pages/market/alerts"
      search={{ symbol: instrument.symbol }}
      aria-label={t("alerts.title")}
      title={t("alerts.title")}
    >
      <IconBell size="small" />
    </Link>
  );
}

function Two({ charts }: { readonly charts: DeskCharts }) {
  const t = useText();
  return (
    <button
      type="button"
      className="tool"
      aria-label={t("desk.twoCharts")}
      title={t("desk.twoCharts")}
      onClick={() => {
        charts.setTwo(true);
      }}
    >
      <IconTwoCharts size="small" />
    </button>
  );
}

function CloseSecond({ charts }: { readonly charts: DeskCharts }) {
  const t = useText();
  return (
    <button
      type="button"
      className="tool"
      aria-label={t("desk.closeChart")}
      title={t("desk.closeChart")}
      onClick={() => {
        charts.setTwo(false);
      }}
    >
      <IconClose size="small" />
    </button>
  );
}
