import type { Order } from "@fairtick/protocol";
import { Arrow, Dial, Gain } from "@fairtick/ui";
import { outcomeAt, profitAt, timeLeft } from "../../components/orders/order-figures.ts";
import { useInstrument } from "../../data/instruments.ts";
import { usePrice } from "../../data/prices.ts";
import { useWallet } from "../../data/wallet.ts";
import { formatCountdown, formatGain, toneOf } from "../../shared/format.ts";
import { useText, type Text } from "../../shared/i18n.ts";
import { Link } from "../../shared/navigation.tsx";
import { useServerNow } from "../../shared/server-clock.ts";

/** The order that ends next, and how many others are running. */
export function RunningLine({ running }: { readonly running: readonly Order[] }) {
  const t = useText();
  const [next] = running;
  if (next === undefined) return null;
  const others = running.length - 1;
  return (
    <nav className="island" aria-label={t("island.running")} data-testid="island">
      <NextLine order={next} />
      {others > 0 && (
        <Link className="island-more note" to="/pages/order/index" search={{ tab: "positions" }}>
          <span className="figure" aria-hidden>
            +{others}
          </span>
          <span className="unseen">{t("island.others", { count: others })}</span>
        </Link>
      )}
    </nav>
  );
}

function NextLine({ order }: { readonly order: Order }) {
  const t = useText();
  const wallet = useWallet();
  const name = useInstrument(order.symbol)?.name ?? order.symbol;
  const now = useServerNow();
  const live = usePrice(order.symbol)?.price ?? null;
  const { ms, part } = timeLeft(order, now);
  const gain = profitAt(order, live);
  return (
    <Link className="island-line label" to="/pages/trade/trade" search={{ orderNo: order.orderNo }}>
      <Dial left={part} size={18} />
      <span className="figure" role="timer" data-testid="island-left">
        {formatCountdown(ms)}
      </span>
      <span className="grow cut island-name">
        {name}
        {order.direction !== null && (
          <>
            {" "}
            <span className={order.direction}>
              <Arrow direction={order.direction} />
            </span>
            <span className="unseen">{t(`shell.${order.direction}`)}</span>
          </>
        )}
        {order.wallet !== wallet && <span className="note soft"> {t(`shell.wallet.${order.wallet}`)}</span>}
      </span>
      <span className="island-standing" data-testid="island-standing">
        <span className="soft">{standingOf(t, order, live, ms)}</span>{" "}
        {gain !== null && <Gain tone={toneOf(gain)}>{formatGain(gain)}</Gain>}
      </span>
    </Link>
  );
}

/**
 * Returns one word for how the order stands: ahead, behind or level, or what it waits for before entry and after
 * expiry.
 */
function standingOf(t: Text, order: Order, live: string | null, leftMs: number): string {
  if (order.expiresAt === null) return t("island.waitingEntry");
  if (leftMs === 0) return t("island.settling");
  const outcome = live === null ? null : outcomeAt(order, live);
  if (outcome === null) return order.direction === null ? t("shell.sealed") : "";
  if (outcome === "won") return t("island.ahead");
  return t(outcome === "tied" ? "island.level" : "island.behind");
}
