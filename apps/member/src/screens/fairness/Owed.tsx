import { Facts } from "@fairtick/ui";
import { lazy, Suspense } from "react";
import { useMember } from "../../data/account.ts";
import type { Fairness } from "../../data/fairness.ts";
import { formatCount, formatDate, formatMoney, formatPrice, formatTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";

const OwnShare = lazy(async () => {
  const part = await import("./OwnShare.tsx");
  return { default: part.OwnShare };
});

/** The published liabilities to members, the reserves against them, and whether one's own balance is included. */
export function Owed({ figures }: { readonly figures: Pick<Fairness, "liabilities" | "reserves"> }) {
  const t = useText();
  const member = useMember().data;
  const { liabilities, reserves } = figures;
  const moment = (at: number) => `${formatDate(at)} ${formatTime(at)}`;
  return (
    <section className="card" data-testid="fairness-owed">
      <h2 className="label">{t("fairness.owed")}</h2>
      {liabilities === null && <p className="note soft">{t("fairness.owed.none")}</p>}
      <Facts
        facts={[
          ...(liabilities === null
            ? []
            : [
                {
                  name: t("fairness.owed.sum"),
                  note: t("fairness.owed.read", {
                    time: moment(liabilities.at),
                    count: formatCount(liabilities.members),
                  }),
                  figure: formatMoney(liabilities.sum),
                  sum: true,
                },
              ]),
          { name: t("fairness.owed.house"), figure: formatMoney(reserves.house) },
          ...reserves.chains.map(({ chain, address, tokens, seenAt }) => ({
            name: t("fairness.owed.chain"),
            note: `${chain} ${address.slice(0, 6)}…${address.slice(-4)} · ${moment(seenAt)}`,
            figure: (
              <>
                {formatPrice(tokens)} <span className="unit">USDT</span>
              </>
            ),
          })),
        ]}
      />
      {liabilities !== null && member !== undefined && (
        <Suspense fallback={<p className="note soft">{t("fairness.owed.checking")}</p>}>
          <OwnShare published={liabilities} member={member.userId} />
        </Suspense>
      )}
    </section>
  );
}
