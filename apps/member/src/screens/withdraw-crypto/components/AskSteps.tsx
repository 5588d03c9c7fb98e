import { Field } from "@fairtick/ui";
import type { WithdrawalMethod } from "../../../data/withdrawals.ts";
import { formatMoney, typedDecimal } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import type { FieldState } from "../../../shared/use-form.ts";

/** Where to: an address as it is pasted, spaces and all. */
export function AddressStep({ chain, value, wrong, onChange }: FieldState<string> & { readonly chain: string }) {
  const t = useText();
  return (
    <>
      <h2 className="heading">{t("withdraw.whereTo")}</h2>
      <Field
        label={t("withdraw.address")}
        className="code"
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        value={value}
        wrong={wrong}
        hint={t("withdraw.addressHint", { chain })}
        onChange={(event) => {
          onChange(event.currentTarget.value);
        }}
      />
    </>
  );
}

/** How much, of what is there. */
export function AmountStep({
  method,
  available,
  value,
  wrong,
  onChange,
}: FieldState<string> & { readonly method: WithdrawalMethod; readonly available: string }) {
  const t = useText();
  const most = Number(available) < Number(method.maximum) ? available : method.maximum;
  return (
    <>
      <h2 className="heading">{t("withdraw.howMuch")}</h2>
      <Field
        label={t("assets.amount")}
        inputMode="decimal"
        autoComplete="off"
        value={value}
        wrong={wrong}
        hint={
          <span className="withdraw-bounds">
            <span>{t("withdraw.available", { amount: formatMoney(available) })}</span>
            <span>{t("withdraw.minimum", { amount: formatMoney(method.minimum) })}</span>
            {method.dayMax !== null && <span>{t("withdraw.dayMax", { amount: formatMoney(method.dayMax) })}</span>}
          </span>
        }
        after={
          <>
            <span className="unit">{t("shell.usd")}</span>
            <button
              type="button"
              className="link"
              onClick={() => {
                onChange(typedDecimal(most));
              }}
            >
              {t("withdraw.max")}
            </button>
          </>
        }
        onChange={(event) => {
          onChange(event.currentTarget.value);
        }}
      />
    </>
  );
}
