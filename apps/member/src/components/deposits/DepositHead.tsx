import { Stations, Wait } from "@fairtick/ui";
import type { Deposit } from "../../data/deposits.ts";
import { formatMoney } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { stateWords, stationsOf } from "./deposit-words.ts";

/** A deposit's state, amount and progress; undefined while it is loading. */
export function DepositHead({ deposit }: { readonly deposit: Deposit | undefined }) {
  const t = useText();
  return (
    <section className="card stack" aria-busy={deposit === undefined}>
      <p className="label" data-testid="deposit-state">
        {deposit === undefined ? <Wait like="Processing" /> : stateWords(t, deposit)}
      </p>
      <p className="big">
        {deposit === undefined ? <Wait like="250.00" /> : formatMoney(deposit.amount)}{" "}
        <span className="unit">{t("shell.usd")}</span>
      </p>
      {deposit !== undefined && <Stations stations={stationsOf(t, deposit)} />}
    </section>
  );
}
