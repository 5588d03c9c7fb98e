import { IconChevronDown, Wait } from "@fairtick/ui";
import { useMember, useSummary } from "../../data/account.ts";
import { useWallet } from "../../data/wallet.ts";
import { formatMoney } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { WalletChoice } from "../WalletChoice.tsx";

/** The wallet in view with its total assets. A choice of two if the region allows the real wallet. */
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
      {hasChoice && <WalletChoice />}
    </span>
  );
}
