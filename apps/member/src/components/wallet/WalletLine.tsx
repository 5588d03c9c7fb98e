import { IconWallet, Wait } from "@fairtick/ui";
import { useSummary } from "../../data/account.ts";
import { formatMoney } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import "./wallet.css";

/**
 * Says which wallet a deposit goes to or a withdrawal comes from, and what is available in it: always the real one,
 * whichever is in view.
 */
export function WalletLine({ way }: { readonly way: "to" | "from" }) {
  const t = useText();
  const available = useSummary("real").data?.available;
  return (
    <section className="wallet-line" data-testid="wallet-line">
      <IconWallet size="small" className="accent" />
      <h2 className="grow">{t(way === "to" ? "wallet.to" : "wallet.from")}</h2>
      <p className="end">
        <span className="note soft block">{t("mine.available")}</span>
        <span className="figure">
          {available === undefined ? <Wait like="1,000.00" /> : formatMoney(available)}{" "}
          <span className="unit">{t("shell.usd")}</span>
        </span>
      </p>
    </section>
  );
}
