import {
  Button,
  Field,
  IconEye,
  IconEyeOff,
  IconMagnet,
  IconPointer,
  IconRedo,
  IconTrash,
  IconUndo,
  showToast,
} from "@fairtick/ui";
import { useState } from "react";
import { useText } from "../../shared/i18n.ts";
import { useChartState, type ChartController } from "./chart-controller.ts";
import { DRAWING_TOOLS, type DrawingTool } from "./drawing-list.ts";
import { TOOL_ICONS } from "./tool-icons.ts";

/** All drawing tools with their names. `onChosen` closes whatever covers the chart, so that the member can draw. */
export function DrawingList({ chart, onChosen }: { readonly chart: ChartController; readonly onChosen: () => void }) {
  const t = useText();
  const { tool } = useChartState(chart);
  const [text, setText] = useState<string | null>(null);

  function choose(chosen: DrawingTool) {
    if (chosen === "text") {
      setText("");
      return;
    }
    chart.draw(chosen === tool ? null : chosen);
    if (chosen !== tool) showToast(t("chart.drawHint"));
    onChosen();
  }

  return (
    <>
      <div className="chart-tool-grid">
        {DRAWING_TOOLS.map(({ tool: choice }) => {
          const Icon = TOOL_ICONS[choice];
          return (
            <button key={choice} type="button" aria-pressed={choice === tool} onClick={() => choose(choice)}>
              <Icon size="small" />
              <span>{t(`chart.tool.${choice}`)}</span>
            </button>
          );
        })}
      </div>
      {text !== null && (
        <form
          className="chart-params"
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() === "") return;
            chart.draw("text", text.trim());
            showToast(t("chart.drawHint"));
            onChosen();
          }}
        >
          <Field
            label={t("chart.textToPlace")}
            value={text}
            maxLength={200}
            onChange={(event) => {
              setText(event.currentTarget.value);
            }}
          />
          <Button type="submit" look="main" off={text.trim() === ""}>
            {t("chart.placeText")}
          </Button>
        </form>
      )}
      <DrawingActs chart={chart} />
      <p className="note soft">{t("chart.drawingsKept")}</p>
    </>
  );
}

/** Actions for existing drawings. */
export function DrawingActs({ chart }: { readonly chart: ChartController }) {
  const t = useText();
  const { count, canUndo, canRedo, hidden, magnet, selected } = useChartState(chart);
  const acts = [
    { label: t("chart.undo"), Icon: IconUndo, off: !canUndo, act: () => chart.undo() },
    { label: t("chart.redo"), Icon: IconRedo, off: !canRedo, act: () => chart.redo() },
    { label: t("chart.magnet"), Icon: IconMagnet, on: magnet, act: () => chart.setMagnet(!magnet) },
    {
      label: t(hidden ? "chart.showDrawings" : "chart.hideDrawings"),
      Icon: hidden ? IconEyeOff : IconEye,
      off: count === 0,
      act: () => chart.hideDrawings(!hidden),
    },
    {
      label: t(selected === null ? "chart.removeAll" : "chart.removeDrawing"),
      Icon: IconTrash,
      off: count === 0,
      act: () => (selected === null ? chart.removeAll() : chart.removeSelected()),
    },
  ];
  return (
    <div className="chart-acts">
      {acts.map(({ label, Icon, off, on, act }) => (
        <button
          key={label}
          type="button"
          className={on ? "bar-button accent" : "bar-button"}
          aria-label={label}
          title={label}
          aria-pressed={on}
          disabled={off}
          onClick={act}
        >
          <Icon size="small" />
        </button>
      ))}
    </div>
  );
}

/** The most used tools, in one row of large targets. */
const NEAREST = ["trend", "horizontal", "rectangle", "fibonacci", "measure", "brush"] as const;

/**
 * A row of tools in full screen, or a column at a desktop's left. The text tool is only in the sheet, because it needs
 * its text first.
 */
export function DrawingBar({
  chart,
  tools = NEAREST,
  column = false,
}: {
  readonly chart: ChartController;
  readonly tools?: readonly Exclude<DrawingTool, "text">[];
  readonly column?: boolean;
}) {
  const t = useText();
  const { tool, count, selected } = useChartState(chart);
  const removes = t(selected === null ? "chart.removeAll" : "chart.removeDrawing");
  return (
    <div className={column ? "drawing-bar column" : "drawing-bar"} role="toolbar" aria-label={t("chart.drawingTools")}>
      <button
        type="button"
        aria-label={t("chart.pointer")}
        title={t("chart.pointer")}
        aria-pressed={tool === null}
        onClick={() => chart.draw(null)}
      >
        <IconPointer size="small" />
      </button>
      {tools.map((choice) => {
        const Icon = TOOL_ICONS[choice];
        const name = t(`chart.tool.${choice}`);
        return (
          <button
            key={choice}
            type="button"
            aria-label={name}
            title={name}
            aria-pressed={choice === tool}
            onClick={() => chart.draw(choice === tool ? null : choice)}
          >
            <Icon size="small" />
          </button>
        );
      })}
      <button
        type="button"
        aria-label={removes}
        title={removes}
        disabled={count === 0}
        onClick={() => (selected === null ? chart.removeAll() : chart.removeSelected())}
      >
        <IconTrash size="small" />
      </button>
    </div>
  );
}
