import { Change, IconStar, IconStarOn, Spark } from "@fairtick/ui";
import type { Instrument } from "@fairtick/protocol";
import { useMemo } from "react";
import { setFavourite } from "../../data/favourites.ts";
import { changeToday } from "../../data/instruments.ts";
import { usePriceState } from "../../data/price-state.ts";
import { useLoggedIn } from "../../data/session.ts";
import { formatChange, formatPrice, formatTime, formatWeekdayTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { instrumentWords } from "../../shared/instrument-words.ts";
import { Link } from "../../shared/navigation.tsx";

/** One instrument: star, name, the day's course, live price and change; why not, where it takes no orders. */
export function InstrumentRow({
  instrument,
  favourite,
}: {
  readonly instrument: Instrument;
  readonly favourite: boolean;
}) {
  const t = useText();
  const loggedIn = useLoggedIn();
  const { price, staleSince } = usePriceState(instrument);
  // The day's course is drawn when it is fetched, not with each price.
  const course = useMemo(() => <Spark points={instrument.spark.map(Number)} width={48} />, [instrument.spark]);
  const change = changeToday(instrument, price ?? undefined);
  const note = instrument.suspended
    ? t("market.suspended")
    : !instrument.open
      ? instrument.nextChange === null
        ? t("market.closed")
        : t("market.closedUntil", { at: formatWeekdayTime(instrument.nextChange) })
      : staleSince !== null
        ? t("market.noFreshPrice", { since: formatTime(staleSince) })
        : price === null
          ? t("market.noPrice")
          : null;
  return (
    <div className={loggedIn ? "row starred" : "row"}>
      {loggedIn && (
        <button
          type="button"
          className="bar-button"
          aria-label={t("market.favouriteOf", { name: instrument.name })}
          aria-pressed={favourite}
          onClick={() => {
            void setFavourite(instrument.symbol, !favourite);
          }}
        >
          {favourite ? <IconStarOn size="small" className="accent" /> : <IconStar size="small" className="soft" />}
        </button>
      )}
      <Link className="row-link" to="/pages/trade/index" search={{ symbol: instrument.symbol }}>
        <span className="grow">
          <span className="block">{instrument.name}</span>
          <span className="note soft block">{note ?? instrumentWords(t, instrument)}</span>
        </span>
        {note === null && course}
        <span className="end market-price">
          {price === null || staleSince !== null ? (
            <span className="figure soft">–</span>
          ) : (
            <>
              <span className="figure block">{formatPrice(price, instrument.decimals)}</span>
              <span className="label market-change">
                {change !== null && (
                  <Change direction={change > 0 ? "up" : change < 0 ? "down" : "flat"}>
                    {formatChange(String(change))}
                  </Change>
                )}
              </span>
            </>
          )}
        </span>
      </Link>
    </div>
  );
}
