import type { Instrument, Order } from "@fairtick/protocol";
import { Change, Facts, Wait, type Fact } from "@fairtick/ui";
import { heldOf, paidOf, priceDifference } from "../../../components/orders/order-figures.ts";
import { useSummary } from "../../../data/account.ts";
import {
  formatCount,
  formatGain,
  formatMoney,
  formatPrice,
  formatRate,
  formatTime,
  toneOf,
} from "../../../shared/format.ts";
import { useText, type Text } from "../../../shared/i18n.ts";
import { signedPrice } from "../components/RunningView.tsx";

/** Both prices with their ticks' times, and the money: held, paid, result, and the balance afterwards. */
export function ResultFacts({ order, instrument }: { readonly order: Order; readonly instrument: Instrument }) {
  return (
    <div className="result-facts">
      {order.entryAt !== null && <BothPrices order={order} instrument={instrument} />}
      <Money order={order} />
    </div>
  );
}

function BothPrices({ order, instrument }: { readonly order: Order; readonly instrument: Instrument }) {
  const t = useText();
  const { entryAt, entryPrice, exitAt, exitPrice } = order;
  const moved = entryPrice === null || exitPrice === null ? null : priceDifference(entryPrice, exitPrice);
  const tone = moved === null ? "flat" : toneOf(moved);
  const price = (value: string | null) => (value === null ? "–" : formatPrice(value, instrument.decimals));
  const time = (at: number | null) => (at === null ? "–" : formatTime(at, true));
  return (
    <div className="split order-split">
      <div>
        <p className="note soft">{t("order.entry")}</p>
        <p className="figure title" data-testid="entry-price">
          {price(entryPrice)}
        </p>
        <p className="note soft">{time(entryAt)}</p>
      </div>
      <div>
        <p className="note soft">{t("order.exit")}</p>
        <p className="figure title" data-testid="exit-price">
          {price(exitPrice)}
        </p>
        <p className="note soft">{time(exitAt)}</p>
      </div>
      <div>
        <p className="note soft">{moved === null ? t("order.difference") : t(MOVED[tone])}</p>
        <p className="figure title">
          {moved === null ? "–" : <Change direction={tone}>{signedPrice(moved, instrument.decimals)}</Change>}
        </p>
        {entryAt !== null && exitAt !== null && (
          <p className="note soft">{t("order.afterMs", { ms: formatCount(exitAt - entryAt) })}</p>
        )}
      </div>
    </div>
  );
}

const MOVED = { up: "order.higher", down: "order.lower", flat: "order.equal" } as const;

/** Held, paid, result and available, so that the figures add up on the screen. */
function Money({ order }: { readonly order: Order }) {
  const t = useText();
  const available = useSummary(order.wallet).data?.available;
  const { outcome } = order;
  if (outcome === null) return null;
  const paid = paidOf(order, outcome);
  const facts: Fact[] = [
    {
      name: t("order.heldAt", { time: formatTime(order.acceptedAt, true) }),
      note: t("order.costsSum", { stake: formatMoney(order.stake), fee: formatMoney(order.fee) }),
      figure: formatGain(`-${heldOf(order)}`),
    },
    { ...paidWords(t, order, outcome), figure: formatGain(paid) },
    { name: t("order.result"), figure: formatGain(order.profit ?? "0.00"), sum: true },
    {
      name: t("order.availableNow"),
      figure: (
        <span data-testid="available-now">
          {available === undefined ? <Wait like="10,000.00" /> : formatMoney(available)}{" "}
          <span className="unit">{t("shell.usd")}</span>
        </span>
      ),
    },
  ];
  return <Facts facts={facts} />;
}

function paidWords(t: Text, order: Order, outcome: NonNullable<Order["outcome"]>): { name: string; note: string } {
  const time = order.settledAt === null ? "–" : formatTime(order.settledAt, true);
  switch (outcome) {
    case "won":
      return {
        name: t("order.paidAt", { time }),
        note: t("order.winSum", { stake: formatMoney(order.stake), rate: formatRate(order.payoutRate) }),
      };
    case "lost":
    case "unrevealed":
      return { name: t("order.endedAt", { time }), note: t("order.toHouse") };
    case "tied":
    case "voided":
      return { name: t("order.returnedAt", { time }), note: t("order.allReturned") };
  }
}
