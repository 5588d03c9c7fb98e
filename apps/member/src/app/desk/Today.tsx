import type { Order } from "@fairtick/protocol";
import { Gain, Segments, Wait } from "@fairtick/ui";
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { useHistory } from "../../data/trading.ts";
import { useLoggedIn } from "../../data/session.ts";
import { useWallet } from "../../data/wallet.ts";
import { spanOf } from "../../shared/date-span.ts";
import { formatCount, formatGain, formatMoney, toneOf } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { useServerNow } from "../../shared/server-clock.ts";
import { ResultSteps } from "./ResultSteps.tsx";

const SPANS = ["today", "week", "month"] as const;
type Span = (typeof SPANS)[number];
type HistorySpan = ReturnType<typeof spanOf>;
const DAY_MS = 86_400_000;
/** Limit for the step line. The totals above it include all orders. */
const STEPS_MAX = 300;

/** The result of a day's, week's or month's settled orders, and how it came about. */
export function Today() {
  const t = useText();
  const [name, setName] = useState<Span>("today");
  if (!useLoggedIn()) return null;
  return (
    <section className="panel today" aria-label={t("desk.results")}>
      <div className="panel-head">
        <h2 className="grow">{t("desk.results")}</h2>
        <Segments
          label={t("orders.filterTime")}
          look="slim"
          choices={SPANS.map((value) => ({ value, label: t(`orders.${value}`) }))}
          value={name}
          onChange={setName}
        />
      </div>
      <Results name={name} />
    </section>
  );
}

/** The settled orders of a span, or only the newest ones if there are very many. */
function useSettled(span: HistorySpan) {
  const history = useHistory(useWallet(), span);
  const orders = history.data?.pages.flatMap(({ items }) => items) ?? [];
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = history;
  const wantsMore = hasNextPage && !isFetchingNextPage && orders.length < STEPS_MAX;
  useEffect(() => {
    if (wantsMore) void fetchNextPage();
  }, [wantsMore, fetchNextPage]);
  return { orders, totals: history.data?.pages[0]?.totals, isWhole: !hasNextPage };
}

/** How many of a span's orders had that outcome; undefined until loaded. */
function useCount(span: HistorySpan, outcome: "won" | "lost"): number | undefined {
  return useHistory(useWallet(), { ...span, outcome }).data?.pages[0]?.totals.count;
}

function Results({ name }: { readonly name: Span }) {
  const t = useText();
  const day = Math.floor(useServerNow(60_000) / DAY_MS) * DAY_MS;
  const span = useMemo(() => spanOf({ name, fromDay: "", toDay: "" }, day), [name, day]);
  const { orders, totals, isWhole } = useSettled(span);
  const won = useCount(span, "won");
  const lost = useCount(span, "lost");
  return (
    <div className="today-body">
      <dl className="today-figures">
        <Figure name={t("order.result")}>
          {totals && <Gain tone={toneOf(totals.profit)}>{formatGain(totals.profit)}</Gain>}
        </Figure>
        <Figure name={t("desk.staked")}>{totals && formatMoney(totals.staked)}</Figure>
        <Figure name={t("orders.fees")}>{totals && formatMoney(totals.fees)}</Figure>
        <Figure name={t("desk.wonOfDecided")}>
          {won !== undefined &&
            lost !== undefined &&
            t("desk.countOf", { count: formatCount(won), all: formatCount(won + lost) })}
        </Figure>
      </dl>
      <Steps orders={orders} isWhole={isWhole} isEmpty={totals?.count === 0} />
    </div>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="note soft">{name}</dt>
      <dd className="medium">{children || <Wait like="100.00" />}</dd>
    </div>
  );
}

function Steps({
  orders,
  isWhole,
  isEmpty,
}: {
  readonly orders: readonly Order[];
  readonly isWhole: boolean;
  readonly isEmpty: boolean;
}) {
  const t = useText();
  if (isEmpty) return <p className="dock-empty label">{t("desk.nothingSettledYet")}</p>;
  if (!isWhole || orders.length === 0) return null;
  return <ResultSteps orders={orders} />;
}
