import type { Instrument } from "@fairtick/protocol";
import { Change, Wait } from "@fairtick/ui";
import type { ReactNode } from "react";
import { useConnection } from "../../data/connection.ts";
import { changeToday } from "../../data/instruments.ts";
import { usePriceState } from "../../data/price-state.ts";
import { usePrice, type Pace } from "../../data/prices.ts";
import { formatChange, formatPrice, formatTime, formatWeekdayTime, toneOf } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";

type Priced = Pick<Instrument, "symbol" | "decimals" | "price"> & Partial<Pick<Instrument, "open">>;

/**
 * The live price, rerendered only by its own ticks, and quieter while no tick can come. `className` sets its size:
 * price, big, figure.
 */
export function LivePrice({
  instrument,
  pace = "list",
  className = "figure",
}: {
  readonly instrument: Priced;
  readonly pace?: Pace;
  readonly className?: string;
}) {
  const price = usePrice(instrument.symbol, pace)?.price ?? instrument.price;
  const isLost = useConnection().lostAt !== null;
  return (
    <span className={isLost ? `${className} soft` : className} data-testid="live-price">
      {price === null ? <NotYet instrument={instrument} /> : formatPrice(price, instrument.decimals)}
    </span>
  );
}

/** Shown before the first price: a placeholder, or a dash if the instrument isn't open and may take long. */
function NotYet({ instrument }: { readonly instrument: Priced }) {
  return instrument.open === false ? "–" : <Wait like={(0).toFixed(instrument.decimals)} />;
}

/** Today's change, from 00:00 UTC to the live price. */
export function TodayChange({ instrument }: { readonly instrument: Instrument }) {
  const rate = changeToday(instrument, usePrice(instrument.symbol)?.price);
  if (rate === null) return instrument.open ? <Wait like="+0.00%" /> : "–";
  const text = rate.toFixed(6);
  return <Change direction={toneOf(rate.toFixed(4))}>{formatChange(text)}</Change>;
}

/**
 * Shows `children` while the price is fresh. Otherwise shows since when it is stale and, if the server knows, why.
 * Without a connection the screen says so already, and this shows nothing.
 */
export function IfFresh({ instrument, children }: { readonly instrument: Instrument; readonly children: ReactNode }) {
  const t = useText();
  const { staleSince } = usePriceState(instrument);
  const { lostAt } = useConnection();
  if (staleSince === null) return children;
  if (lostAt !== null) return null;
  const since = formatTime(staleSince);
  return (
    <span className="note alert">
      {instrument.waitsFor === "beacon" ? t("shell.beaconAway", { since }) : t("shell.staleSince", { since })}
    </span>
  );
}

/** Whether the instrument takes orders and, if not, since or until when. */
export function SessionState({
  instrument,
}: {
  readonly instrument: Pick<Instrument, "open" | "suspended" | "nextChange">;
}) {
  const t = useText();
  if (instrument.suspended) return <>{t("shell.suspended")}</>;
  if (instrument.open) return <>{t("trade.open")}</>;
  return (
    <>
      {instrument.nextChange === null
        ? t("shell.closed")
        : t("shell.opens", { at: formatWeekdayTime(instrument.nextChange) })}
    </>
  );
}
