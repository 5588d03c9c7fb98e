import { IconChevronDown, PracticeStrip } from "@fairtick/ui";
import { useDeployment } from "../data/deployment.ts";
import { useLoggedIn } from "../data/session.ts";
import { useMember, type Wallet } from "../data/account.ts";
import { useWallet } from "../data/wallet.ts";
import { useText } from "../shared/i18n.ts";
import { WalletChoice } from "./WalletChoice.tsx";

/**
 * Shows that a wallet, by default the one in view, holds play money and that prices are simulated. Nothing for live
 * real money.
 */
export function Strip({ of }: { readonly of?: Wallet }) {
  const t = useText();
  const loggedIn = useLoggedIn();
  const inView = useWallet();
  const deployment = useDeployment();
  const sandbox = deployment?.deployment !== "live";
  // Show it until the deployment is known, because the embedded default is simulated.
  const prices = (deployment?.pricesSimulated ?? true) ? t("shell.pricesSimulated") : undefined;
  if (loggedIn && (of ?? inView) === "real") {
    return sandbox ? <PracticeStrip wallet={t("shell.testMoney")} prices={prices} /> : null;
  }
  return <PracticeStrip wallet={t("shell.practicePlayMoney")} prices={prices} />;
}

/** The wallet in view, as a native select. Only the practice wallet if the region allows no other. */
export function WalletSwitch() {
  const t = useText();
  const loggedIn = useLoggedIn();
  const wallet = useWallet();
  const member = useMember().data;
  if (!loggedIn) return null;
  const name = t(`shell.wallet.${wallet}`);
  if (member && !member.realWalletOpen) {
    return (
      <span className="wallet only">
        <span>{name}</span>
      </span>
    );
  }
  return (
    <span className="wallet">
      <span aria-hidden="true">
        {name}
        <IconChevronDown size="tiny" />
      </span>
      <WalletChoice />
    </span>
  );
}
