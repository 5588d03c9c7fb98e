import { Dial, Gain, Toward } from "@fairtick/ui";
import type { Order } from "@fairtick/protocol";
import { useInstruments } from "../../../data/instruments.ts";
import { usePositions } from "../../../data/orders.ts";
import { usePrice } from "../../../data/prices.ts";
import { useWallet } from "../../../data/wallet.ts";
import { formatCountdown, formatGain, formatMoney, toneOf } from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { profitIfNow } from "../../../shared/profit-if-now.ts";
import { useServerNow } from "../../../shared/server-clock.ts";
import { Link } from "../../../shared/navigation.tsx";

/** Orders that are running, with what is left of their time and where they stand. Nothing when none runs. */
export function RunningNow() {
  const t = useText();
  const wallet = useWallet();
  const orders = usePositions(wallet).data?.items ?? [];
  const names = new Map(useInstruments().data?.map((instrument) => [instrument.symbol, instrument.name]));
  if (orders.length === 0) return null;
  return (
    <section className="group home-running" aria-label={t("home.runningNow")}>
      {orders.slice(0, 3).map((order) => (
        <RunningOrder key={order.orderNo} order={order} name={names.get(order.symbol) ?? order.symbol} />
      ))}
    </section>
  );
}

function RunningOrder({ order, name }: { readonly order: Order; readonly name: string }) {
  const t = useText();
  const now = useServerNow();
  const live = usePrice(order.symbol)?.price;
  const left = order.expiresAt === null ? order.duration * 1000 : order.expiresAt - now;
  const gain = profitIfNow(order, live);
  return (
    <Link className="row near" to="/pages/trade/trade" search={{ orderNo: order.orderNo }}>
      <Dial left={left / (order.duration * 1000)} />
      <span className="grow">
        {name} <Toward direction={order.direction}>{t(order.direction === "up" ? "shell.up" : "shell.down")}</Toward>
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
