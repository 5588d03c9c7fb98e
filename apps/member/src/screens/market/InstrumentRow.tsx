import { Change, IconStar, IconStarOn, Spark } from "@fairtick/ui";
import type { Instrument } from "@fairtick/protocol";
import { useMemo } from "react";
import { setFavourite } from "../../data/favourites.ts";
import { changeToday, directionOf } from "../../data/instruments.ts";
import { usePriceState } from "../../data/price-state.ts";
import { useLoggedIn } from "../../data/session.ts";
import { formatChange, formatPrice, formatTime, formatWeekdayTime } from "../../shared/format.ts";
import { type Text, useText } from "../../shared/i18n.ts";
import { instrumentWords } from "../../shared/instrument-words.ts";
import { Link } from "../../shared/navigation.tsx";

/** One instrument: star, name, sparkline, live price and change, and why it takes no orders if it doesn't. */
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
  // The sparkline is redrawn when the list is loaded, not with each price.
  const course = useMemo(() => <Spark points={instrument.spark.map(Number)} width={48} />, [instrument.spark]);
  const change = changeToday(instrument, price ?? undefined);
  const note = refusalNote(t, instrument, price, staleSince);
  return (
    <div className={loggedIn ? "row starred" : "row"}>
      {loggedIn && <FavouriteButton instrument={instrument} favourite={favourite} />}
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
                {change !== null && <Change direction={directionOf(change)}>{formatChange(String(change))}</Change>}
              </span>
            </>
          )}
        </span>
      </Link>
    </div>
  );
}

function FavouriteButton({ instrument, favourite }: { readonly instrument: Instrument; readonly favourite: boolean }) {
  const t = useText();
  return (
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
  );
}

/** Returns why the instrument takes no orders now; null if it does. */
function refusalNote(t: Text, instrument: Instrument, price: string | null, staleSince: number | null): string | null {
  const { suspended, open, nextChange } = instrument;
  if (suspended) return t("market.suspended");
  if (!open && nextChange === null) return t("market.closed");
  if (!open && nextChange !== null) return t("market.closedUntil", { at: formatWeekdayTime(nextChange) });
  if (staleSince !== null) return t("market.noFreshPrice", { since: formatTime(staleSince) });
  return price === null ? t("market.noPrice") : null;
}
