import { IconSearch } from "@fairtick/ui";
import { LivePrice, TodayChange } from "../../components/market/live-figures.tsx";
import { useInstruments } from "../../data/instruments.ts";
import { useText } from "../../shared/i18n.ts";
import { useDeskCommand } from "./desk-commands.ts";
import { ProductLink } from "./ProductLink.tsx";

/** The products in one row that scrolls sideways, and the button to search them. */
export function Ticker({ chosen, onSearch }: { readonly chosen: string; readonly onSearch: () => void }) {
  const t = useText();
  const instruments = useInstruments().data ?? [];
  useDeskCommand("search", onSearch);
  return (
    <section className="panel ticker" aria-label={t("desk.watchlist")}>
      <div className="ticker-row">
        {instruments.map((instrument) => (
          <ProductLink key={instrument.symbol} symbol={instrument.symbol} chosen={chosen}>
            <span className="ticker-name">
              {instrument.name} <TodayChange instrument={instrument} />
            </span>
            <LivePrice instrument={instrument} className="figure note" />
          </ProductLink>
        ))}
      </div>
      <button
        type="button"
        className="bar-button"
        aria-label={t("market.search")}
        aria-haspopup="dialog"
        onClick={onSearch}
      >
        <IconSearch size="small" />
      </button>
    </section>
  );
}
