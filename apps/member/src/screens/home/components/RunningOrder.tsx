import { Dial, Gain } from "@fairtick/ui";
import type { Order } from "@fairtick/protocol";
import { profitAt } from "../../../components/orders/order-figures.ts";
import { usePrice } from "../../../data/prices.ts";
import { formatCountdown, formatGain, formatMoney, toneOf } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { useServerNow } from "../../../shared/server-clock.ts";
import { Side } from "../../../components/orders/Side.tsx";
import { Link } from "../../../shared/navigation.tsx";

/** One running order's row on the home screen, with its time left and how it stands. */
export function RunningOrder({ order, name }: { readonly order: Order; readonly name: string }) {
  const t = useText();
  const now = useServerNow();
  const live = usePrice(order.symbol)?.price;
  const left = order.expiresAt === null ? order.duration * 1000 : order.expiresAt - now;
  const gain = profitAt(order, live ?? null);
  return (
    <Link className="row near" to="/pages/trade/trade" search={{ orderNo: order.orderNo }}>
      <Dial left={left / (order.duration * 1000)} />
      <span className="grow">
        {name} <Side direction={order.direction} />
        <span className="note soft block">
          {t("home.runningNow")} · <span className="figure">{formatMoney(order.stake)}</span>
        </span>
      </span>
      <span className="end">
        <span className="medium block">{left > 0 ? formatCountdown(left) : t("home.settling")}</span>
        <span className="note soft">
          {gain === null ? (
            t("home.waitingForPrice")
          ) : (
            <>
              {t("home.now")} <Gain tone={toneOf(gain)}>{formatGain(gain)}</Gain>
            </>
          )}
        </span>
      </span>
    </Link>
  );
}
