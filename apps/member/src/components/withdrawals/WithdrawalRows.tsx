import { IconChevronRight } from "@fairtick/ui";
import type { Withdrawal } from "../../data/withdrawals.ts";
import { formatDateTime, formatMoney } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Link } from "../../shared/navigation.tsx";
import { stateWords } from "./withdrawal-words.ts";

/** A row for each withdrawal, linked to its own screen. */
export function WithdrawalRows({ withdrawals }: { readonly withdrawals: readonly Withdrawal[] }) {
  const t = useText();
  return (
    <ul className="group">
      {withdrawals.map((withdrawal) => (
        <li key={withdrawal.withdrawNo}>
          <Link
            className="row"
            to="/pages/qk/qk"
            search={{ withdrawNo: withdrawal.withdrawNo }}
            data-testid="withdrawal"
          >
            <span className="grow">
              {stateWords(t, withdrawal)}
              <span className="note soft block">{formatDateTime(withdrawal.createdAt)}</span>
            </span>
            <span className="figure">
              {formatMoney(withdrawal.amount)} <span className="unit">{t("shell.usd")}</span>
            </span>
            <IconChevronRight size="tiny" className="soft" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
