import { FailedState, Notice, Wait } from "@fairtick/ui";
import type { CryptoMethod } from "../../../data/deposits.ts";
import { useDepositPlace } from "../../../data/proof/deposit-place.ts";
import { chainWords } from "../../../shared/chain-words.ts";
import { useText } from "../../../shared/i18n.ts";
import { CopyLink } from "../../../components/CopyLink.tsx";
import { QrCode } from "../../../components/qr/QrCode.tsx";

/**
 * The member's address on a chain, to scan or copy, once its signature is checked. A warning if the signature is
 * invalid.
 */
export function AddressCard({ method }: { readonly method: CryptoMethod }) {
  const t = useText();
  const query = useDepositPlace(method.chain);
  if (query.data?.address === null) {
    return (
      <div role="alert" data-testid="address-unproven">
        <Notice wrong>{t("deposit.addressUnproven")}</Notice>
      </div>
    );
  }
  const address = query.data?.address;
  if (query.isError && address === undefined) {
    return (
      <FailedState
        title={t("deposit.addressFailed")}
        retryLabel={t("shell.tapToRetry")}
        onRetry={() => {
          void query.refetch();
        }}
      />
    );
  }

  const half = Math.ceil((address?.length ?? 0) / 2);
  return (
    <section className="card deposit-address" aria-busy={query.isPending}>
      {address === undefined ? <span className="qr" /> : <QrCode text={address} label={t("deposit.qr")} />}
      <p className="label">{t("deposit.ownAddress", { chain: chainWords(method) })}</p>
      <p className="code" data-testid="deposit-address">
        {address === undefined ? (
          <Wait like="0x000000000000000000000" />
        ) : (
          <>
            {address.slice(0, half)}
            <wbr />
            {address.slice(half)}
          </>
        )}
      </p>
      <p className="note soft" data-testid="address-proven">
        {address !== undefined && t("deposit.addressProven")}
      </p>
      <CopyLink text={address}>{t("deposit.copyAddress")}</CopyLink>
    </section>
  );
}
