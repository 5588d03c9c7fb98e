import type { Instrument } from "@fairtick/protocol";
import { Button, IconSettings, Sheet } from "@fairtick/ui";
import { useState } from "react";
import type { ChartController } from "../../../components/chart/chart-controller.ts";
import { StyleList } from "../../../components/chart/StyleList.tsx";
import { useText } from "../../../shared/i18n.ts";
import type { DeskPlace } from "../desk-charts.ts";
import { resetLayout, type Breakpoint } from "../layout-store.ts";

/** The gear menu: how the chart is drawn, and a reset of the workspace's layout. */
export function PaneSettings({
  place,
  instrument,
  breakpoint,
  controller,
}: {
  readonly place: DeskPlace;
  readonly instrument: Instrument;
  readonly breakpoint: Breakpoint;
  readonly controller: ChartController;
}) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
  };
  return (
    <>
      <button
        type="button"
        className="tool"
        aria-haspopup="dialog"
        aria-label={t("desk.settings")}
        title={t("desk.settings")}
        onClick={() => {
          setOpen(true);
        }}
      >
        <IconSettings size="small" />
      </button>
      <Sheet open={isOpen} onClose={close} title={t("desk.settings")} closeLabel={t("shell.close")}>
        <div className="stack">
          <StyleList chart={controller} instrument={instrument} place={place} />
          <Button
            onClick={() => {
              resetLayout(breakpoint);
              close();
            }}
          >
            {t("desk.resetLayout")}
          </Button>
        </div>
      </Sheet>
    </>
  );
}
