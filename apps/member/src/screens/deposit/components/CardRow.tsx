import { Button, Field, IconChat, IconChevronRight, Sheet, showToast } from "@fairtick/ui";
import { useState, type FormEvent } from "react";
import { decimalSign } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { navigate } from "../../../shared/navigation.tsx";
import { plainAmount } from "../../../shared/typed-decimal.ts";

const AMOUNT = /^(?=.*[1-9])(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,2})?$/;

/** A card is taken by people: the amount is asked for, and the chat opened about it. */
export function CardRow() {
  const t = useText();
  const [open, setOpen] = useState(false);
  const [amount, setAmount] = useState("");
  const [wrong, setWrong] = useState<string>();

  function submit(event: FormEvent) {
    event.preventDefault();
    const plain = plainAmount(amount, decimalSign());
    if (!AMOUNT.test(plain)) {
      setWrong(t("bank.enterAmount"));
      showToast(t("bank.enterAmount"));
      return;
    }
    navigate({ to: "/pages/kf/index", search: { tab: "chat", topic: "card", amount: plain } });
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
          <Field
            label={`${t("bank.amount")} (USD)`}
            inputMode="decimal"
            autoComplete="off"
            value={amount}
            wrong={wrong}
            onChange={(event) => {
              setAmount(event.currentTarget.value);
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
