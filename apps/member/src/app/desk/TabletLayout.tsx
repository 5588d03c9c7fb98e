import { IconChevronUp, Sheet } from "@fairtick/ui";
import { useState } from "react";
import { useText } from "../../shared/i18n.ts";
import { ChartArea } from "./chart/ChartArea.tsx";
import type { LayoutProps } from "./DeskLayout.tsx";
import { useMatches } from "../../shared/use-matches.ts";
import { Dock, DockPanel } from "./dock/Dock.tsx";
import { TicketPanel } from "./ticket/TicketPanel.tsx";
import { Ticker } from "./Ticker.tsx";
import { Watchlist } from "./Watchlist.tsx";

const UPRIGHT = "(max-aspect-ratio: 1/1)";

/**
 * The layout from 768 to 1199 px: products in a row above the chart, and the ticket beside it, or below it in
 * portrait.
 */
export function TabletLayout({ instrument, orderNo, charts, controllers }: LayoutProps) {
  const t = useText();
  const [isSearching, setSearching] = useState(false);
  const isUpright = useMatches(UPRIGHT);
  return (
    <div className="tablet-grid" data-upright={isUpright || undefined}>
      <Ticker
        chosen={instrument.symbol}
        onSearch={() => {
          setSearching(true);
        }}
      />
      <ChartArea breakpoint="tablet" charts={charts} controllers={controllers} />
      {isUpright ? <DockSheet /> : <Dock breakpoint="tablet" />}
      <TicketPanel instrument={instrument} orderNo={orderNo} />
      <Sheet
        open={isSearching}
        onClose={() => {
          setSearching(false);
        }}
        title={t("desk.watchlist")}
        closeLabel={t("shell.close")}
      >
        <Watchlist
          chosen={instrument.symbol}
          breakpoint="tablet"
          onPicked={() => {
            setSearching(false);
          }}
        />
      </Sheet>
    </div>
  );
}

/** The dock as a sheet, because a portrait window has no room for it. */
function DockSheet() {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="panel dock-opener"
        aria-haspopup="dialog"
        onClick={() => {
          setOpen(true);
        }}
      >
        <span className="grow">{t("desk.dock")}</span>
        <IconChevronUp size="small" />
      </button>
      <Sheet
        open={isOpen}
        onClose={() => {
          setOpen(false);
        }}
        title={t("desk.dock")}
        closeLabel={t("shell.close")}
      >
        <DockPanel breakpoint="tablet" />
      </Sheet>
    </>
  );
}
