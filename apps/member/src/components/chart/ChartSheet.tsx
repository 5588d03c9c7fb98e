import type { Instrument } from "@fairtick/protocol";
import { Sheet, TabPanel, Words } from "@fairtick/ui";
import { useState } from "react";
import { useText } from "../../shared/i18n.ts";
import type { ChartController } from "./chart-controller.ts";
import type { ChartPlace } from "./chart-settings.ts";
import { DrawingList } from "./DrawingList.tsx";
import { IndicatorList } from "./IndicatorList.tsx";
import { StyleList } from "./StyleList.tsx";

const TABS = ["indicators", "drawings", "style"] as const;

/** The chart's settings and tools in three tabs. */
export function ChartSheet({
  open,
  onClose,
  chart,
  instrument,
  place = "main",
}: {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly chart: ChartController;
  readonly instrument: Instrument;
  readonly place?: ChartPlace;
}) {
  const t = useText();
  const [tab, setTab] = useState<(typeof TABS)[number]>("indicators");
  return (
    <Sheet open={open} onClose={onClose} title={t("chart.tools")} closeLabel={t("shell.close")}>
      <Words
        label={t("chart.tools")}
        choices={TABS.map((value) => ({
          value,
          label: t(value === "indicators" ? "trade.indicators" : `chart.${value}`),
        }))}
        value={tab}
        onChange={setTab}
        panel="chart-sheet"
      />
      <TabPanel id="chart-sheet" chosen={tab}>
        {tab === "indicators" && <IndicatorList place={place} />}
        {tab === "drawings" && <DrawingList chart={chart} onChosen={onClose} />}
        {tab === "style" && <StyleList place={place} chart={chart} instrument={instrument} />}
      </TabPanel>
    </Sheet>
  );
}
