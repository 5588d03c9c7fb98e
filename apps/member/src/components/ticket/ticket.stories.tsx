import type { Instrument } from "@fairtick/protocol";
import type { Stories } from "@fairtick/ui/story.ts";
import { useState } from "react";
import { CallError } from "../../data/transport.ts";
import { ORDER, WithInstrument } from "../story-data.tsx";
import { AllowDevice } from "./AllowDevice.tsx";
import { ConfirmSheet } from "./ConfirmSheet.tsx";
import { ConfirmButtons, ConfirmWords } from "./ConfirmStep.tsx";
import { DirectionButtons } from "./DirectionButtons.tsx";
import { DurationChips } from "./DurationChips.tsx";
import { LimitRow } from "./LimitRow.tsx";
import { calculateSummary, type OrderTicket } from "./order-ticket.ts";
import { OneTapOffer, OneTapQuestion } from "./OneTapOffer.tsx";
import { RepeatButton } from "./RepeatButton.tsx";
import { SealPromise } from "./SealPromise.tsx";
import { StakeField } from "./StakeField.tsx";
import { TicketFigures } from "./TicketFigures.tsx";
import { TicketPad } from "./TicketPad.tsx";
import { TicketSaid } from "./TicketSaid.tsx";
import { useTicketOrder } from "./use-ticket-order.ts";
import { useTicket } from "./use-ticket.ts";

const nothing = () => undefined;
const TICKET: OrderTicket = { direction: "up", stake: "100.00", duration: 60, limitOn: false, limitPrice: "" };
const IDLE = { step: "idle" } as const;

function summaryOf(instrument: Instrument) {
  const market = { price: instrument.price, priceAt: 1, now: 1, available: "9840.50", tradePasswordSet: true };
  return calculateSummary(TICKET, { instrument, ...market });
}

function Stake({ instrument, compact }: { readonly instrument: Instrument; readonly compact?: boolean }) {
  return <StakeField instrument={instrument} form={useTicket(instrument, { direction: null })} compact={compact} />;
}

function Durations({ instrument, compact }: { readonly instrument: Instrument; readonly compact?: boolean }) {
  const [chosen, choose] = useState(60);
  return <DurationChips durations={instrument.durations} value={chosen} onChange={choose} compact={compact} />;
}

function Pad({ instrument, compact }: { readonly instrument: Instrument; readonly compact?: boolean }) {
  const order = useTicketOrder(instrument, { direction: null, clearsDirection: true }, nothing);
  return <TicketPad instrument={instrument} order={order} names="buy" compact={compact} onSetPassword={nothing} />;
}

function Limit({ wrong }: { readonly wrong?: string }) {
  const ticket = { ...TICKET, limitOn: wrong !== undefined, limitPrice: "1.0" };
  return <LimitRow ticket={ticket} passed={false} wrong={wrong} onSwitch={nothing} onInput={nothing} />;
}

/** Opened by hand, because two of them in one gallery would interfere through the browser's history. */
function Confirming({ instrument, direction }: { readonly instrument: Instrument; readonly direction: "up" | "down" }) {
  const [isShown, show] = useState(false);
  if (!isShown) return <DirectionButtons names="plain" onChoose={() => show(true)} />;
  const acts = { onPlace: nothing, onAllowDevice: nothing, onAskAgain: nothing, onLeave: () => show(false) };
  return (
    <>
      <ConfirmWords instrument={instrument} ticket={{ ...TICKET, direction }} summary={summaryOf(instrument)} />
      <ConfirmButtons direction={direction} stake="100.00" state={IDLE} off={null} {...acts} />
    </>
  );
}

function Sheet({ instrument }: { readonly instrument: Instrument }) {
  const acts = { onOffPress: nothing, onPlace: nothing, onAllowDevice: nothing, onAskAgain: nothing, onClose: nothing };
  const shown = { open: true, instrument, ticket: TICKET, summary: summaryOf(instrument), available: "9840.50" };
  return <ConfirmSheet {...shown} state={IDLE} off={null} changed={null} {...acts} />;
}

const REFUSED = { step: "refused", error: new CallError("refused", "Orders are suspended") } as const;

export const stories = {
  TicketPad: {
    "beside a chart": () => <WithInstrument>{(one) => <Pad instrument={one} />}</WithInstrument>,
    "under a chart": () => <WithInstrument>{(one) => <Pad instrument={one} compact />}</WithInstrument>,
  },
  StakeField: {
    usual: () => <WithInstrument>{(one) => <Stake instrument={one} />}</WithInstrument>,
    compact: () => <WithInstrument>{(one) => <Stake instrument={one} compact />}</WithInstrument>,
  },
  DurationChips: {
    usual: () => <WithInstrument>{(one) => <Durations instrument={one} />}</WithInstrument>,
    compact: () => <WithInstrument>{(one) => <Durations instrument={one} compact />}</WithInstrument>,
  },
  TicketFigures: {
    usual: () => <WithInstrument>{(one) => <TicketFigures summary={summaryOf(one)} />}</WithInstrument>,
    "with a bar": () => <WithInstrument>{(one) => <TicketFigures summary={summaryOf(one)} bar />}</WithInstrument>,
  },
  DirectionButtons: {
    plain: () => <DirectionButtons names="plain" onChoose={nothing} />,
    "under a chart, off": () => <DirectionButtons names="buy" off onChoose={nothing} />,
  },
  ConfirmWords: {
    usual: () => (
      <WithInstrument>
        {(one) => <ConfirmWords instrument={one} ticket={TICKET} summary={summaryOf(one)} />}
      </WithInstrument>
    ),
  },
  ConfirmButtons: {
    up: () => <WithInstrument>{(one) => <Confirming instrument={one} direction="up" />}</WithInstrument>,
    down: () => <WithInstrument>{(one) => <Confirming instrument={one} direction="down" />}</WithInstrument>,
  },
  TicketSaid: {
    "a stale price": () => (
      <TicketSaid
        state={IDLE}
        changed={null}
        off={{ words: "Price out of date", sentence: "The price is out of date", isAtField: false }}
      />
    ),
    "a refusal": () => <TicketSaid state={REFUSED} changed={null} off={null} />,
    "no answer": () => (
      <TicketSaid state={{ step: "cut", asking: false }} changed={null} off={null} onAskAgain={nothing} />
    ),
    "other terms": () => <TicketSaid state={IDLE} changed={{ payoutRate: "0.84", fee: "1.00" }} off={null} />,
  },
  RepeatButton: {
    usual: () => <RepeatButton order={ORDER} onRepeat={nothing} />,
    "under a result": () => <RepeatButton order={ORDER} wide onRepeat={nothing} />,
    off: () => <RepeatButton order={ORDER} wide off why="Insufficient balance" onRepeat={nothing} />,
    placing: () => <RepeatButton order={ORDER} wide off isPlacing onRepeat={nothing} />,
  },
  SealPromise: { usual: () => <SealPromise /> },
  OneTapOffer: { "not due": () => <OneTapOffer /> },
  OneTapQuestion: { usual: () => <OneTapQuestion onAnswer={nothing} /> },
  LimitRow: { off: () => <Limit />, wrong: () => <Limit wrong="Enter a price with at most 6 places" /> },
  ConfirmSheet: { open: () => <WithInstrument>{(one) => <Sheet instrument={one} />}</WithInstrument> },
  AllowDevice: { usual: () => <AllowDevice wrong={null} label="Place order" direction="up" onAllow={nothing} /> },
} satisfies Stories;
