import { AmountField, Field, IconCheck } from "@fairtick/ui";
import { useAddresses, type WithdrawalMethod } from "../../../data/withdrawals.ts";
import { amountWriting } from "../../../shared/amount-writing.ts";
import { formatDateTime, formatMoney, typedDecimal } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { Link } from "../../../shared/navigation.tsx";
import type { FieldState } from "../../../shared/use-form.ts";
import { mostOf } from "../withdraw-form.ts";

/** The newest addresses of the book; its own screen has all. */
const SHOWN_MAX = 4;

/**
 * The first question: an address, pasted with any spaces, or one of the address book. `on` is the chain's name in
 * calls.
 */
export function AddressStep({
  chain,
  on,
  value,
  wrong,
  onChange,
}: FieldState<string> & { readonly chain: string; readonly on: string }) {
  const t = useText();
  return (
    <>
      <h2 className="heading">{t("withdraw.whereTo")}</h2>
      <SavedAddresses chain={on} chosen={value.trim()} onChoose={onChange} />
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

/** The address book's addresses on this chain. Renders nothing if there are none. */
function SavedAddresses({
  chain,
  chosen,
  onChoose,
}: {
  readonly chain: string;
  readonly chosen: string;
  readonly onChoose: (address: string) => void;
}) {
  const t = useText();
  const here = useAddresses().data?.filter((one) => one.chain === chain) ?? [];
  if (here.length === 0) return null;
  return (
    <section aria-label={t("withdraw.saved")}>
      <div className="group">
        {here.slice(0, SHOWN_MAX).map(({ addressId, address, label, usableAt }) => (
          <button
            key={addressId}
            type="button"
            className="row"
            aria-pressed={chosen === address}
            onClick={() => {
              onChoose(address);
            }}
          >
            <span className="grow">
              {label !== null && <span className="block">{label}</span>}
              <span className="code withdraw-address block">{address}</span>
              {usableAt !== null && (
                <span className="note soft block">{t("withdraw.usableFrom", { at: formatDateTime(usableAt) })}</span>
              )}
            </span>
            {chosen === address && <IconCheck size="small" className="accent" />}
          </button>
        ))}
      </div>
      <p className="end">
        <Link className="link label" to="/pages/qk/addresses">
          {t("withdraw.book")}
        </Link>
      </p>
    </section>
  );
}

/** The second question: the amount, and what is available. */
export function AmountStep({
  method,
  available,
  value,
  wrong,
  onChange,
}: FieldState<string> & { readonly method: WithdrawalMethod; readonly available: string }) {
  const t = useText();
  const most = mostOf(method, available);
  return (
    <>
      <h2 className="heading">{t("withdraw.howMuch")}</h2>
      <AmountField
        label={t("assets.amount")}
        unit={t("shell.usd")}
        most={{ label: t("withdraw.max"), value: typedDecimal(most) }}
        writing={amountWriting()}
        value={value}
        wrong={wrong}
        hint={
          <span className="withdraw-bounds">
            <span>{t("withdraw.available", { amount: formatMoney(available) })}</span>
            <span>{t("withdraw.minimum", { amount: formatMoney(method.minimum) })}</span>
            {method.dayMax !== null && <span>{t("withdraw.dayMax", { amount: formatMoney(method.dayMax) })}</span>}
          </span>
        }
        onInput={onChange}
      />
      <p className="note soft">{t("withdraw.automatic", { amount: formatMoney(method.automaticMax) })}</p>
    </>
  );
}
