import { IconExternal } from "@fairtick/ui";
import { useText } from "../shared/i18n.ts";
import { CopyLink } from "./CopyLink.tsx";

/** The transaction of a deposit or withdrawal: its hash to copy, and a link to a block explorer. */
export function ChainTransaction({
  txHash,
  explorerUrl,
}: {
  readonly txHash: string;
  readonly explorerUrl: string | undefined;
}) {
  const t = useText();
  return (
    <section className="card stack">
      <p className="label">{t("deposit.transaction")}</p>
      <p className="code" data-testid="tx-hash">
        {txHash}
      </p>
      <CopyLink text={txHash}>{t("deposit.copyTransaction")}</CopyLink>
      {explorerUrl !== undefined && (
        <a className="link" href={explorerUrl} target="_blank" rel="noreferrer">
          <IconExternal size="tiny" />
          {t("deposit.explorer")}
        </a>
      )}
    </section>
  );
}
