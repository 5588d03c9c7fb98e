import type { ReactNode } from "react";
import type { Sums } from "../../data/fairness.ts";
import { formatCount, formatRate } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { settledOf } from "./settled-of.ts";

/** The three main figures: how many orders, how many were won, and how many members lost money. */
export function Heroes({ sums }: { readonly sums: Sums }) {
  const t = useText();
  const lost = sums.members === 0 ? "–" : formatRate(String(sums.membersLost / sums.members));
  return (
    <dl className="fairness-heroes">
      <Hero name={t("fairness.hero.orders")} figure={formatCount(settledOf(sums))} />
      <Hero
        name={t("fairness.hero.share")}
        figure={sums.share === null ? "–" : formatRate(sums.share)}
        note={
          sums.shareFrom !== null &&
          sums.shareTo !== null &&
          t("fairness.chance", { from: formatRate(sums.shareFrom), to: formatRate(sums.shareTo) })
        }
      />
      <Hero
        name={t("fairness.membersLost")}
        figure={lost}
        note={t("fairness.of", { part: formatCount(sums.membersLost), all: formatCount(sums.members) })}
      />
    </dl>
  );
}

function Hero({ name, figure, note }: { readonly name: string; readonly figure: string; readonly note?: ReactNode }) {
  return (
    <div>
      <dt className="note soft">{name}</dt>
      <dd>
        <span className="figure">{figure}</span>
        {note !== undefined && note !== false && <span className="note soft">{note}</span>}
      </dd>
    </div>
  );
}
