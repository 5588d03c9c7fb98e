import { IconChevronRight } from "@fairtick/ui";
import type { Deposit } from "../../data/deposits.ts";
import { formatDateTime, formatMoney } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Link } from "../../shared/navigation.tsx";
import { placeOf, stageWords, stateWords } from "./deposit-words.ts";

/** A row for each deposit, linked to its own screen. */
export function DepositRows({ deposits }: { readonly deposits: readonly Deposit[] }) {
  const t = useText();
  return (
    <ul className="group">
      {deposits.map((deposit) => (
        <li key={deposit.depositNo}>
          <Link className="row" to={placeOf(deposit)} search={{ depositNo: deposit.depositNo }} data-testid="deposit">
            <span className="grow">
              {stateWords(t, deposit)}
              <span className="note soft block">{stageWords(t, deposit) ?? formatDateTime(deposit.createdAt)}</span>
            </span>
            <span className="figure">
              {formatMoney(deposit.amount)} <span className="unit">{t("shell.usd")}</span>
            </span>
            <IconChevronRight size="tiny" className="soft" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
