import type { Instrument } from "@fairtick/protocol";
import { useState, type CSSProperties } from "react";
import type { ChartController } from "../../components/chart/chart-controller.ts";
import { useText } from "../../shared/i18n.ts";
import { ChartArea } from "./chart/ChartArea.tsx";
import type { DeskCharts, DeskPlace } from "./desk-charts.ts";
import { Dock } from "./dock/Dock.tsx";
import { openDock, useDockOpen } from "./dock/dock-open.ts";
import { Gap } from "./Gap.tsx";
import { BOUNDS, changeLayout, FIRST, useLayout, type Breakpoint, type Layout } from "./layout-store.ts";
import { TicketPanel } from "./ticket/TicketPanel.tsx";
import { Today } from "./Today.tsx";
import { useDockMax } from "./use-dock-max.ts";
import { Watchlist } from "./Watchlist.tsx";

export interface LayoutProps {
  readonly instrument: Instrument;
  readonly orderNo: string | undefined;
  readonly charts: DeskCharts;
  readonly controllers: Readonly<Record<DeskPlace, ChartController>>;
}

/** The desktop layout: products, charts above the dock, and ticket, with movable gaps between them. */
export function DeskLayout({
  instrument,
  orderNo,
  charts,
  controllers,
  breakpoint,
}: LayoutProps & { readonly breakpoint: Exclude<Breakpoint, "tablet"> }) {
  const t = useText();
  const layout = useLayout(breakpoint);
  const isDockOpen = useDockOpen(breakpoint);
  const [root, setRoot] = useState<HTMLDivElement | null>(null);
  const dockMax = useDockMax(root);
  const dock = Math.min(layout.dock, dockMax);
  const change = (part: Partial<Layout>) => {
    changeLayout(breakpoint, part);
  };
  const resizeDock = (height: number) => {
    change({ dock: height });
    openDock(breakpoint, true);
  };
  const sizes = {
    "--watch": `${layout.watch}px`,
    "--ticket": `${layout.ticket}px`,
    "--dock": isDockOpen ? `${dock}px` : "var(--dock-head)",
  } as CSSProperties;
  return (
    <div className="desk-grid" style={sizes} ref={setRoot}>
      <Watchlist chosen={instrument.symbol} breakpoint={breakpoint} />
      <Gap
        label={t("desk.gap.watch")}
        line="vertical"
        size={layout.watch}
        {...BOUNDS.watch}
        onSize={(watch) => {
          change({ watch });
        }}
        onReset={() => {
          change({ watch: FIRST[breakpoint].watch });
        }}
      />
      <div className="desk-middle">
        <ChartArea breakpoint={breakpoint} charts={charts} controllers={controllers} />
        <Gap
          label={t("desk.gap.dock")}
          line="horizontal"
          isAfter
          size={dock}
          min={BOUNDS.dock.min}
          max={dockMax}
          onSize={resizeDock}
          onReset={() => {
            resizeDock(FIRST[breakpoint].dock);
          }}
        />
        <div className="desk-foot">
          <Dock breakpoint={breakpoint} />
          {breakpoint === "wide" && isDockOpen && <Today />}
        </div>
      </div>
      <Gap
        label={t("desk.gap.ticket")}
        line="vertical"
        isAfter
        size={layout.ticket}
        {...BOUNDS.ticket}
        onSize={(ticket) => {
          change({ ticket });
        }}
        onReset={() => {
          change({ ticket: FIRST[breakpoint].ticket });
        }}
      />
      <TicketPanel instrument={instrument} orderNo={orderNo} />
    </div>
  );
}
