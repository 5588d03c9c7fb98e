import type { Stories } from "@fairtick/ui/story.ts";
import { WithInstrument } from "../story-data.tsx";
import { BuyButtons, ChartPanel, UsualTerms } from "./ChartPanel.tsx";
import { ChartTools } from "./ChartTools.tsx";
import { PriceChart } from "./PriceChart.tsx";

export const stories = {
  ChartPanel: {
    "of a running market": () => <WithInstrument>{(one) => <ChartPanel instrument={one} />}</WithInstrument>,
  },
  BuyButtons: { usual: () => <WithInstrument>{(one) => <BuyButtons instrument={one} />}</WithInstrument> },
  UsualTerms: { usual: () => <WithInstrument>{(one) => <UsualTerms instrument={one} />}</WithInstrument> },
  ChartTools: { usual: () => <ChartTools /> },
  PriceChart: {
    "a line, no indicators": () => (
      <WithInstrument>
        {(one) => <PriceChart instrument={one} settings={{ interval: "15s", type: "line", indicators: [] }} />}
      </WithInstrument>
    ),
  },
} satisfies Stories;
