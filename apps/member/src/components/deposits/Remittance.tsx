import { Facts, Notice } from "@fairtick/ui";
import type { Deposit } from "../../data/deposits.ts";
import { formatDate, formatMoney, formatPrice, formatTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { CopyLink } from "../CopyLink.tsx";
import { QrCode } from "../qr/QrCode.tsx";

/** What to send where, and the reference that identifies the member. */
export function Remittance({ deposit }: { readonly deposit: Deposit }) {
  const t = useText();
  const { reference, card, fiatAmount, fiatCurrency, qr, expiresAt } = deposit;
  if (reference === undefined || card === undefined || fiatAmount === undefined) return null;
  const grouped = reference.replace(/(.{4})(?=.)/g, "$1 ");
  return (
    <>
      <section className="card stack">
        <p className="label">{t("bank.sendThis")}</p>
        <p className="big" data-testid="fiat-amount">
          {formatPrice(fiatAmount)} <span className="unit">{fiatCurrency}</span>
        </p>
        <p className="note soft">
          {t("bank.youGet")}: {formatMoney(deposit.amount)} {t("shell.usd")}
          {fiatCurrency !== "USD" && ` · 1 USD = ${formatPrice(card.rate)} ${fiatCurrency ?? ""}`}
        </p>
        {expiresAt !== undefined && (
          <p className="note soft" data-testid="send-by">
            {t("bank.sendBy", { date: `${formatDate(expiresAt)} ${formatTime(expiresAt)}` })}
          </p>
        )}
      </section>
      <section className="card stack">
        <p className="label">{t("bank.reference")}</p>
        <p className="title figure" data-testid="reference">
          {grouped}
        </p>
        <p className="note soft">{t("bank.referenceNote")}</p>
        <CopyLink text={reference}>{t("bank.copyReference")}</CopyLink>
      </section>
      <Facts
        facts={[
          { name: t("bank.bank"), figure: <span className="wrapping">{card.bank}</span> },
          { name: t("bank.holder"), figure: <span className="wrapping">{card.holder}</span> },
          {
            name: t("bank.number"),
            figure: <span className="wrapping">{card.number.replace(/(.{4})(?=.)/g, "$1 ")}</span>,
          },
        ]}
      />
      <CopyLink text={card.number}>{t("bank.copyNumber")}</CopyLink>
      {card.note !== "" && <Notice>{card.note}</Notice>}
      {qr !== undefined && (
        <section className="card stack deposit-code">
          <QrCode text={qr} label={t("bank.qr")} />
          <p className="label">{t("bank.qr")}</p>
        </section>
      )}
    </>
  );
}
