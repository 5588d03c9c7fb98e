import type { Instrument } from "@fairtick/protocol";
import { AmountInput, Button, Field, showToast } from "@fairtick/ui";
import { useState, type FormEvent } from "react";
import { FilterChip } from "../../components/lists/FilterChip.tsx";
import { createAlert } from "../../data/alerts.ts";
import { usePrice } from "../../data/prices.ts";
import { useAction } from "../../data/use-action.ts";
import { useWish } from "../../data/use-wish.ts";
import { quantityWriting } from "../../shared/amount-writing.ts";
import { decimalSign, formatPrice } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { alertProblem, readAlert } from "./alert-form.ts";
import "../../components/account.css";

/** The form for a price alert. The direction follows from the current price. */
export function AlertForm({
  instruments,
  first,
}: {
  readonly instruments: readonly Instrument[];
  readonly first: string | undefined;
}) {
  const t = useText();
  const action = useAction();
  const [symbol, setSymbol] = useState(first ?? instruments[0]?.symbol ?? "");
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState<string>();
  const wish = useWish("alert");
  const instrument = instruments.find((other) => other.symbol === symbol) ?? instruments[0];
  const live = usePrice(symbol)?.price ?? instrument?.price ?? null;
  if (instrument === undefined) return null;
  const { decimals } = instrument;
  const read = readAlert(typed, decimals, live, decimalSign());

  function submit(event: FormEvent) {
    event.preventDefault();
    if (read === null) {
      const { message, values } = alertProblem(typed, decimals, live, decimalSign());
      setWrong(t(message, values));
      showToast(t(message, values));
      return;
    }
    const asked = { symbol, ...read };
    void action
      .run(
        () => createAlert({ ...asked, clientId: wish.idOf(asked) }),
        (fields) => {
          setWrong(fields["price"]);
        },
      )
      .then((done) => {
        if (!done) return;
        showToast(t("common.successfullySet"));
        setTyped("");
        wish.granted();
      });
  }

  const hint =
    read === null
      ? t("alerts.now", { price: live === null ? "–" : formatPrice(live, instrument.decimals) })
      : t(read.direction === "up" ? "alerts.whenUp" : "alerts.whenDown", { price: formatPrice(read.price) });
  return (
    <form className="form card" noValidate onSubmit={submit}>
      <FilterChip
        label={t("alerts.product")}
        choices={instruments.map(({ symbol: value, name }) => ({ value, label: name }))}
        value={symbol}
        onChange={(next) => {
          setSymbol(next);
          setTyped("");
          setWrong(undefined);
        }}
      />
      <Field
        label={t("alerts.price")}
        renderInput={(props) => (
          <AmountInput
            {...props}
            writing={quantityWriting()}
            value={typed}
            onInput={(next) => {
              setTyped(next);
              setWrong(undefined);
            }}
          />
        )}
        hint={hint}
        wrong={wrong}
      />
      <Button look="main" type="submit" disabled={action.busy}>
        {t("alerts.add")}
      </Button>
    </form>
  );
}
