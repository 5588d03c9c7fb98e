import { useSummary } from "../data/account.ts";
import { chooseWallet, useWallet } from "../data/wallet.ts";
import { formatMoney } from "../shared/format.ts";
import { useText } from "../shared/i18n.ts";

const WALLETS = ["practice", "real"] as const;

/** A native select of both wallets with their total assets, placed over whatever shows the current one. */
export function WalletChoice() {
  const t = useText();
  const assets = { practice: useSummary("practice").data?.totalAssets, real: useSummary("real").data?.totalAssets };
  return (
    <select
      aria-label={t("shell.wallet")}
      value={useWallet()}
      onChange={(event) => {
        chooseWallet(event.currentTarget.value === "real" ? "real" : "practice");
      }}
    >
      {WALLETS.map((name) => {
        const amount = assets[name];
        return (
          <option key={name} value={name}>
            {t(`shell.wallet.${name}`)}
            {amount !== undefined && ` · ${formatMoney(amount)}`}
          </option>
        );
      })}
    </select>
  );
}
