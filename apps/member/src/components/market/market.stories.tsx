import type { Stories } from "@fairtick/ui/story.ts";
import { useState } from "react";
import { WithInstrument } from "../story-data.tsx";
import { InstrumentPicker } from "./InstrumentPicker.tsx";
import { IfFresh, LivePrice, SessionState, TodayChange } from "./live-figures.tsx";

const OPENS_AT = Date.UTC(2026, 10, 24, 22);

function Picker() {
  const [symbol, setSymbol] = useState("EURUSD");
  return <InstrumentPicker symbol={symbol} onPick={setSymbol} />;
}

export const stories = {
  InstrumentPicker: { closed: () => <Picker /> },
  LivePrice: {
    live: () => <WithInstrument>{(one) => <LivePrice instrument={one} className="big" />}</WithInstrument>,
    "not yet there": () => <LivePrice instrument={{ symbol: "NONE", decimals: 6, price: null }} />,
  },
  TodayChange: { live: () => <WithInstrument>{(one) => <TodayChange instrument={one} />}</WithInstrument> },
  IfFresh: { fresh: () => <WithInstrument>{(one) => <IfFresh instrument={one}>Fresh</IfFresh>}</WithInstrument> },
  SessionState: {
    open: () => <SessionState instrument={{ open: true, suspended: false, nextChange: null }} />,
    "opens later": () => <SessionState instrument={{ open: false, suspended: false, nextChange: OPENS_AT }} />,
    suspended: () => <SessionState instrument={{ open: true, suspended: true, nextChange: null }} />,
  },
} satisfies Stories;
