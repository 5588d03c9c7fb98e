import { Facts, Notice, Stations } from "@fairtick/ui";
import type { CheckedAddress, WithdrawalMethod } from "../../../data/withdrawals.ts";
import { formatDateTime, formatDuration, formatMoney, formatPrice } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import type { sumsOf } from "../withdraw-form.ts";

/** The fee, what arrives and what remains; a dash while the amount is invalid. */
export function Sums({
  method,
  sums,
}: {
  readonly method: WithdrawalMethod;
  readonly sums: ReturnType<typeof sumsOf>;
}) {
  const t = useText();
  return (
    <Facts
      facts={[
        { name: t("withdraw.fee"), figure: `−${formatMoney(method.fee)}` },
        {
          name: t("withdraw.receive"),
          figure: (
            <span data-testid="receives">
              {sums.receives === null ? "–" : formatPrice(sums.receives)}{" "}
              <span className="unit">{method.currency}</span>
            </span>
          ),
        },
        { name: t("withdraw.left"), figure: sums.left === null ? "–" : formatMoney(sums.left) },
      ]}
    />
  );
}

/** Every reason why the withdrawal would have to wait now, each with its end. */
export function Waits({
  method,
  checked,
}: {
  readonly method: WithdrawalMethod;
  readonly checked: CheckedAddress | null;
}) {
  const t = useText();
  const { frozenSince, restsUntil, addressHours } = method;
  const usableAt = checked?.usableAt ?? null;
  return (
    <>
      {frozenSince !== null && <Notice>{t("withdraw.frozen", { at: formatDateTime(frozenSince) })}</Notice>}
      {restsUntil !== null && <Notice>{t("withdraw.rests", { until: formatDateTime(restsUntil) })}</Notice>}
      {usableAt !== null && <Notice>{t("withdraw.addressWaits", { until: formatDateTime(usableAt) })}</Notice>}
      {addressHours === 0 && checked?.known === false && <Notice>{t("withdraw.addressNow")}</Notice>}
    </>
  );
}

/** What happens next, and that no other step is needed. */
export function Then({ times }: { readonly times: WithdrawalMethod["times"] }) {
  const t = useText();
  const length = (ms: number) => formatDuration(ms < 120_000 ? Math.ceil(ms / 1000) : Math.ceil(ms / 60_000) * 60);
  return (
    <section className="stack">
      <h2 className="label">{t("withdraw.then")}</h2>
      <Stations
        stations={[
          { label: t("withdraw.requested"), note: t("withdraw.canCancel"), state: "later" },
          { label: t("withdraw.approved"), state: "later" },
          { label: t("withdraw.sent"), state: "later" },
          { label: t("assets.state.withdrawn"), state: "later" },
        ]}
      />
      {times !== null && (
        <p className="note soft">{t("withdraw.times", { half: length(times.halfMs), most: length(times.mostMs) })}</p>
      )}
      <p className="note soft">{t("withdraw.promise")}</p>
    </section>
  );
}
