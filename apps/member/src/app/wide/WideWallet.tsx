import { IconChevronDown, Wait } from "@fairtick/ui";
import { useMember, useSummary, type Wallet } from "../../data/account.ts";
import { chooseWallet, useWallet } from "../../data/wallet.ts";
import { formatMoney } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";

/** The wallet in view with all that it holds; a choice of two where the region allows the real one. */
export function WideWallet() {
  const t = useText();
  const wallet = useWallet();
  const hasChoice = useMember().data?.realWalletOpen === true;
  const assets = useSummary(wallet).data?.totalAssets;
  return (
    <span className="wallet wide-wallet">
      <span className="wide-wallet-face" aria-hidden={hasChoice}>
        {t(`shell.wallet.${wallet}`)}
        <b className="figure">{assets === undefined ? <Wait like="10,000.00" /> : formatMoney(assets)}</b>
        <small className="note">{t("shell.usd")}</small>
        {hasChoice && <IconChevronDown size="tiny" />}
      </span>
      {hasChoice && <WalletChoice wallet={wallet} />}
    </span>
  );
}

function WalletChoice({ wallet }: { readonly wallet: Wallet }) {
  const t = useText();
  const assets = { practice: useSummary("practice").data?.totalAssets, real: useSummary("real").data?.totalAssets };
  return (
    <select
      aria-label={t("shell.wallet")}
      value={wallet}
      onChange={(event) => {
        chooseWallet(event.currentTarget.value === "real" ? "real" : "practice");
      }}
    >
      {(["practice", "real"] as const).map((name) => {
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
