import type { Instrument } from "@fairtick/protocol";
import { Field, IconChevronDown, IconSearch, Sheet } from "@fairtick/ui";
import { useState } from "react";
import { useInstruments } from "../../data/instruments.ts";
import { useText } from "../../shared/i18n.ts";
import { fitsInstrument, instrumentWords } from "../../shared/instrument-words.ts";
import { LivePrice, SessionState, TodayChange } from "./live-figures.tsx";
import "./market.css";

/** A button with the product's name that opens the sheet of all products. */
export function InstrumentPicker({
  symbol,
  onPick,
}: {
  readonly symbol: string;
  readonly onPick: (symbol: string) => void;
}) {
  const t = useText();
  const [open, setOpen] = useState(false);
  const [words, setWords] = useState("");
  const instruments = useInstruments().data ?? [];
  const name = instruments.find((instrument) => instrument.symbol === symbol)?.name ?? symbol;
  const found = instruments.filter((instrument) => fitsInstrument(instrument, instrumentWords(t, instrument), words));
  const close = () => {
    setOpen(false);
    setWords("");
  };
  return (
    <>
      <button
        type="button"
        className="product"
        aria-haspopup="dialog"
        aria-label={t("trade.chooseProduct", { name })}
        onClick={() => {
          setOpen(true);
        }}
      >
        {name}
        <IconChevronDown size="tiny" className="soft" />
      </button>
      <Sheet open={open} onClose={close} title={t("trade.products")} closeLabel={t("shell.close")}>
        <Field
          label={t("trade.search")}
          type="search"
          before={<IconSearch size="small" />}
          value={words}
          onChange={(event) => {
            setWords(event.currentTarget.value);
          }}
        />
        <ul className="product-list">
          {found.map((instrument) => (
            <li key={instrument.symbol}>
              <Product
                instrument={instrument}
                isCurrent={instrument.symbol === symbol}
                onPick={() => {
                  onPick(instrument.symbol);
                  close();
                }}
              />
            </li>
          ))}
        </ul>
        {found.length === 0 && <p className="label product-none">{t("trade.noneFound")}</p>}
      </Sheet>
    </>
  );
}

/** A product in the sheet: its name, its kind or since when it is closed, and its price. */
function Product({
  instrument,
  isCurrent,
  onPick,
}: {
  readonly instrument: Instrument;
  readonly isCurrent: boolean;
  readonly onPick: () => void;
}) {
  const t = useText();
  return (
    <button type="button" className="row bare" aria-current={isCurrent ? "true" : undefined} onClick={onPick}>
      <span className="grow">
        {instrument.name}
        <span className="note soft block">
          {instrument.open && !instrument.suspended ? (
            instrumentWords(t, instrument)
          ) : (
            <SessionState instrument={instrument} />
          )}
        </span>
      </span>
      <span className="end">
        <LivePrice instrument={instrument} className="figure block" />
        <span className="note">
          <TodayChange instrument={instrument} />
        </span>
      </span>
    </button>
  );
}
