import { AmountField, Button, IconChat, IconChevronRight, Sheet, showToast } from "@fairtick/ui";
import { useState, type FormEvent } from "react";
import { amountProblem, amountSent, type Bounds } from "../../../components/deposits/deposit-amount.ts";
import { amountWriting } from "../../../shared/amount-writing.ts";
import { decimalSign, formatMoney } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { navigate } from "../../../shared/navigation.tsx";

/** Asks for the amount of a card payment and opens the chat about it, because operators handle card payments. */
export function CardRow({ bounds }: { readonly bounds: Bounds | undefined }) {
  const t = useText();
  const [open, setOpen] = useState(false);
  const [amount, setAmount] = useState("");
  const [wrong, setWrong] = useState<string>();

  function submit(event: FormEvent) {
    event.preventDefault();
    const problem = amountProblem(amount, bounds, decimalSign());
    if (problem !== null) {
      const words = t(problem.message, problem.values);
      setWrong(words);
      showToast(words);
      return;
    }
    const sent = amountSent(amount, decimalSign());
    navigate({ to: "/pages/kf/index", search: { tab: "chat", topic: "card", amount: sent } });
  }

  return (
    <>
      <button
        type="button"
        className="row indent"
        onClick={() => {
          setOpen(true);
        }}
      >
        <IconChat size="small" className="soft" />
        <span className="grow">{t("bank.cardMethod")}</span>
        <IconChevronRight size="tiny" className="soft" />
      </button>
      <Sheet
        open={open}
        onClose={() => {
          setOpen(false);
        }}
        title={t("bank.cardMethod")}
        closeLabel={t("shell.close")}
      >
        <form className="stack" noValidate onSubmit={submit}>
          <p className="label">{t("bank.cardHow")}</p>
          <AmountField
            label={t("bank.amount")}
            unit={t("shell.usd")}
            writing={amountWriting()}
            value={amount}
            wrong={wrong}
            hint={
              bounds && t("bank.bounds", { minimum: formatMoney(bounds.minimum), maximum: formatMoney(bounds.maximum) })
            }
            onInput={(typed) => {
              setAmount(typed);
              setWrong(undefined);
            }}
          />
          <Button look="main" type="submit">
            {t("bank.openChat")}
          </Button>
        </form>
      </Sheet>
    </>
  );
}
