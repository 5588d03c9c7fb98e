import type { Instrument } from "@fairtick/protocol";
import type { Stories } from "@fairtick/ui/story.ts";
import { useEffect } from "react";
import { ORDER, WithInstrument } from "../story-data.tsx";
import { ChartPanel } from "./ChartPanel.tsx";
import { ChartActs, IntervalBar } from "./ChartTools.tsx";
import { ChartSheet } from "./ChartSheet.tsx";
import { useChartController } from "./chart-controller.ts";
import { chartSettings } from "./chart-settings.ts";
import { ChartWords } from "./ChartWords.tsx";
import { DrawingActs, DrawingBar, DrawingList } from "./DrawingList.tsx";
import { IndicatorList } from "./IndicatorList.tsx";
import { PriceChart } from "./PriceChart.tsx";
import { ReplayLine } from "./ReplayLine.tsx";
import { StyleList } from "./StyleList.tsx";

const nothing = () => undefined;

function LineChart({ instrument }: { readonly instrument: Instrument }) {
  const settings = { ...chartSettings(), type: "line" as const, indicators: [] };
  return (
    <div className="story-chart">
      <PriceChart chart={useChartController()} instrument={instrument} settings={settings} />
    </div>
  );
}

function Tools({ instrument }: { readonly instrument: Instrument }) {
  return <ChartActs chart={useChartController()} instrument={instrument} onFull={nothing} />;
}

function Bar({ column = false }: { readonly column?: boolean }) {
  return <DrawingBar chart={useChartController()} column={column} />;
}

function List() {
  return <DrawingList chart={useChartController()} onChosen={nothing} />;
}

function Acts() {
  return <DrawingActs chart={useChartController()} />;
}

function Style({ instrument }: { readonly instrument: Instrument }) {
  return <StyleList chart={useChartController()} instrument={instrument} />;
}

function Opened({ instrument }: { readonly instrument: Instrument }) {
  return <ChartSheet open chart={useChartController()} instrument={instrument} onClose={nothing} />;
}

/** The line about a replayed path, without a chart. */
function Replayed() {
  const chart = useChartController();
  const { orderNo } = ORDER;
  const mark = {
    orderNo,
    entryAt: 0,
    entryPrice: "1.0",
    exitAt: 1,
    exitPrice: "1.1",
    tone: "up",
    words: "Won +84.00",
  } as const;
  useEffect(() => {
    chart.tell({ replayed: orderNo });
  }, [chart, orderNo]);
  return <ReplayLine chart={chart} scene={{ running: [], preview: null, settled: [mark] }} />;
}

/** The description for screen readers. */
function Words({ instrument }: { readonly instrument: Instrument }) {
  return (
    <div>
      <ChartWords chart={useChartController()} instrument={instrument} name={instrument.name} interval="1m" />
    </div>
  );
}

export const stories = {
  ChartWords: { "as they are read out": () => <WithInstrument>{(one) => <Words instrument={one} />}</WithInstrument> },
  ChartPanel: {
    "of a running market": () => (
      <WithInstrument>
        {(one) => (
          <div className="story-chart">
            <ChartPanel instrument={one} />
          </div>
        )}
      </WithInstrument>
    ),
  },
  ReplayLine: { shown: () => <Replayed /> },
  IntervalBar: { usual: () => <IntervalBar /> },
  ChartActs: { usual: () => <WithInstrument>{(one) => <Tools instrument={one} />}</WithInstrument> },
  ChartSheet: { open: () => <WithInstrument>{(one) => <Opened instrument={one} />}</WithInstrument> },
  IndicatorList: { usual: () => <IndicatorList /> },
  DrawingList: { usual: () => <List /> },
  DrawingActs: { "nothing drawn": () => <Acts /> },
  DrawingBar: { "in a row": () => <Bar />, "in a column": () => <Bar column /> },
  StyleList: { usual: () => <WithInstrument>{(one) => <Style instrument={one} />}</WithInstrument> },
  PriceChart: {
    "a line, no indicators": () => <WithInstrument>{(one) => <LineChart instrument={one} />}</WithInstrument>,
  },
} satisfies Stories;
