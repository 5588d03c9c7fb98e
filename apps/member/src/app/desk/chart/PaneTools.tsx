import type { Instrument } from "@fairtick/protocol";
import {
  IconCamera,
  IconCandles,
  IconChevronDown,
  IconDraw,
  IconFullScreen,
  IconIndicators,
  IconLeaveFullScreen,
  IconOrders,
  IconRedo,
  IconUndo,
  Sheet,
} from "@fairtick/ui";
import { useState, type ReactNode } from "react";
import { CHART_TYPES, changeChart, useChartSettings } from "../../../components/chart/chart-settings.ts";
import { useChartState, type ChartController } from "../../../components/chart/chart-controller.ts";
import { ChartSheet } from "../../../components/chart/ChartSheet.tsx";
import { IntervalBar } from "../../../components/chart/ChartTools.tsx";
import { DrawingList } from "../../../components/chart/DrawingList.tsx";
import { useSavePicture } from "../../../components/chart/StyleList.tsx";
import { formatCount } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { useDeskCommand } from "../desk-commands.ts";
import type { DeskPlace } from "../desk-charts.ts";

/** A chart's intervals, type, indicators and actions, in one row. */
export function PaneTools({
  place,
  instrument,
  controller,
  isTight,
  hasDraw,
  isFull,
  onFull,
}: {
  readonly place: DeskPlace;
  readonly instrument: Instrument;
  readonly controller: ChartController;
  /** Whether there is little room, so that icons have no labels. */
  readonly isTight: boolean;
  /** Whether the drawing tools need a button, because they have no column of their own. */
  readonly hasDraw: boolean;
  readonly isFull: boolean;
  readonly onFull: (full: boolean) => void;
}) {
  const t = useText();
  const { ownOrders } = useChartSettings(place);
  return (
    <div className="pane-tools" data-tight={isTight || undefined}>
      <IntervalBar place={place} />
      <hr />
      <TypeChoice place={place} />
      <Indicators place={place} instrument={instrument} controller={controller} />
      {hasDraw && <Draw controller={controller} />}
      {!isTight && (
        <button
          type="button"
          className="tool worded"
          aria-pressed={ownOrders}
          aria-label={t("chart.ownOrders")}
          title={t("chart.ownOrders")}
          onClick={() => {
            changeChart({ ownOrders: !ownOrders }, place);
          }}
        >
          <IconOrders size="tiny" />
          <span className="tool-words">{t("chart.ownOrders")}</span>
        </button>
      )}
      <Acts place={place} instrument={instrument} controller={controller} isTight={isTight}>
        <button
          type="button"
          className="tool"
          aria-label={t(isFull ? "chart.leaveFullScreen" : "chart.fullScreen")}
          title={t(isFull ? "chart.leaveFullScreen" : "chart.fullScreen")}
          onClick={() => {
            onFull(!isFull);
          }}
        >
          {isFull ? <IconLeaveFullScreen size="small" /> : <IconFullScreen size="small" />}
        </button>
      </Acts>
    </div>
  );
}

/** A native select under an icon and the chosen type's name. */
function TypeChoice({ place }: { readonly place: DeskPlace }) {
  const t = useText();
  const { type } = useChartSettings(place);
  return (
    <span className="tool worded type-choice" title={t("trade.chartType", { type: t(`chart.type.${type}`) })}>
      <IconCandles size="small" />
      <span className="tool-words">{t(`chart.type.${type}`)}</span>
      <IconChevronDown size="tiny" />
      <select
        aria-label={t("trade.chartTypes")}
        value={type}
        onChange={(event) => {
          const chosen = CHART_TYPES.find((one) => one === event.currentTarget.value);
          if (chosen !== undefined) changeChart({ type: chosen }, place);
        }}
      >
        {CHART_TYPES.map((one) => (
          <option key={one} value={one}>
            {t(`chart.type.${one}`)}
          </option>
        ))}
      </select>
    </span>
  );
}

/** A button with the number of indicators, and the sheet of all chart tools, including those without a button. */
function Indicators({
  place,
  instrument,
  controller,
}: {
  readonly place: DeskPlace;
  readonly instrument: Instrument;
  readonly controller: ChartController;
}) {
  const t = useText();
  const { indicators } = useChartSettings(place);
  const [isOpen, setOpen] = useState(false);
  const names = indicators.map(({ name }) => t(`chart.indicator.${name}`)).join(", ");
  useDeskCommand("indicators", (wanted) => {
    if (wanted === place) setOpen(true);
  });
  return (
    <>
      <button
        type="button"
        className="tool worded"
        aria-haspopup="dialog"
        onClick={() => {
          setOpen(true);
        }}
      >
        <IconIndicators size="small" />
        <span aria-hidden="true">{t("trade.indicators")}</span>
        <span className="unseen">
          {t("trade.indicatorsShown", { names: names === "" ? t("trade.noIndicators") : names })}
        </span>
        {indicators.length > 0 && (
          <span className="pill-count" aria-hidden="true">
            {formatCount(indicators.length)}
          </span>
        )}
      </button>
      <ChartSheet
        open={isOpen}
        chart={controller}
        instrument={instrument}
        place={place}
        onClose={() => {
          setOpen(false);
        }}
      />
    </>
  );
}

/** A button for all drawing tools, where there is no room for their column. */
function Draw({ controller }: { readonly controller: ChartController }) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
  };
  return (
    <>
      <button
        type="button"
        className="tool worded"
        aria-haspopup="dialog"
        onClick={() => {
          setOpen(true);
        }}
      >
        <IconDraw size="small" />
        {t("desk.draw")}
      </button>
      <Sheet open={isOpen} onClose={close} title={t("chart.drawings")} closeLabel={t("shell.close")}>
        <DrawingList chart={controller} onChosen={close} />
      </Sheet>
    </>
  );
}

function Acts({
  place,
  instrument,
  controller,
  isTight,
  children,
}: {
  readonly place: DeskPlace;
  readonly instrument: Instrument;
  readonly controller: ChartController;
  readonly isTight: boolean;
  readonly children: ReactNode;
}) {
  const t = useText();
  const { canUndo, canRedo } = useChartState(controller);
  const save = useSavePicture(controller, instrument, place);
  const acts = [
    { label: t("chart.undo"), Icon: IconUndo, off: !canUndo, act: () => controller.undo() },
    ...(isTight ? [] : [{ label: t("chart.redo"), Icon: IconRedo, off: !canRedo, act: () => controller.redo() }]),
    { label: t("chart.picture"), Icon: IconCamera, off: false, act: save },
  ];
  return (
    <span className="pane-acts">
      {acts.map(({ label, Icon, off, act }) => (
        <button
          key={label}
          type="button"
          className="tool"
          aria-label={label}
          title={label}
          disabled={off}
          onClick={act}
        >
          <Icon size="small" />
        </button>
      ))}
      {children}
    </span>
  );
}
