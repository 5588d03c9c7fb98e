import type { Instrument, Order } from "@fairtick/protocol";
import { Change, Gain, Ring } from "@fairtick/ui";
import {
  heldOf,
  outcomeAt,
  priceDifference,
  profitAt,
  profitIf,
  spokenMark,
  timeLeft,
} from "../../../components/orders/order-figures.ts";
import { useSummary } from "../../../data/account.ts";
import { usePrice } from "../../../data/prices.ts";
import {
  formatCountdown,
  formatGain,
  formatMoney,
  formatPrice,
  formatRate,
  formatTime,
  toneOf,
} from "../../../shared/format.ts";
import { useText } from "../../../shared/i18n.ts";
import { useServerNow } from "../../../shared/server-clock.ts";
import { Side } from "../../../components/orders/Side.tsx";
import { isLeftSealed, SealedNote } from "../../../components/orders/SealedNote.tsx";
import { OrderChart } from "./OrderChart.tsx";

/** A running order: time left by the server's clock, entry and live price, and how it stands now. */
export function RunningView({ order, instrument }: { readonly order: Order; readonly instrument: Instrument }) {
  const t = useText();
  // The order is over and no one here can open it, so what it would bring now no longer matters.
  const isLeft = isLeftSealed(order, useServerNow(1_000));
  return (
    <>
      <div className="running-head">
        <span className="title">
          <Side direction={order.direction} />
        </span>
        <span>
          <span className="medium">{formatMoney(order.stake)}</span> <span className="unit">{t("shell.usd")}</span>
        </span>
      </div>
      <Countdown order={order} />
      {isLeft ? (
        <div className="order-form">
          <SealedNote order={order} />
        </div>
      ) : (
        <>
          <Prices order={order} instrument={instrument} />
          <OrderChart order={order} instrument={instrument} />
          <Standing order={order} />
        </>
      )}
    </>
  );
}

/**
 * A countdown of sixty marks that go out one by one. Before the entry tick all are lit; after the end it says
 * "settling".
 */
function Countdown({ order }: { readonly order: Order }) {
  const t = useText();
  const now = useServerNow(100);
  const { ms, part } = timeLeft(order, now);
  const mark = spokenMark(order, now);
  const waiting = order.expiresAt === null;
  const endLabel = isLeftSealed(order, now) ? "order.waitsToBeOpened" : "order.settling";
  const runningLabel = ms === 0 ? endLabel : "order.deliveryIn";
  return (
    <div className="running-ring">
      <Ring left={part} size={204}>
        <p className="label">{t(waiting ? "order.accepted" : runningLabel)}</p>
        <p className="price" role="timer" data-testid="countdown">
          {formatCountdown(ms)}
        </p>
        <p className="note soft">
          {order.expiresAt === null
            ? t("order.waitingEntry")
            : t("order.at", { time: formatTime(order.expiresAt, true) })}
        </p>
      </Ring>
      <p className="unseen" aria-live="assertive">
        {mark !== null && t(`order.left${mark}`)}
      </p>
    </div>
  );
}

function Prices({ order, instrument }: { readonly order: Order; readonly instrument: Instrument }) {
  const t = useText();
  const live = usePrice(order.symbol, "frame")?.price ?? null;
  const { entryPrice } = order;
  const moved = entryPrice === null || live === null ? null : priceDifference(entryPrice, live);
  const price = (value: string | null) => (value === null ? "–" : formatPrice(value, instrument.decimals));
  return (
    <div className="split order-split">
      <div>
        <p className="note soft">{t("order.entry")}</p>
        <p className="figure title" data-testid="entry-price">
          {price(entryPrice)}
        </p>
      </div>
      <div>
        <p className="note soft">{t("order.now")}</p>
        <p className="figure title">{price(live)}</p>
      </div>
      <div>
        <p className="note soft">{t("order.difference")}</p>
        <p className="figure title">
          {moved === null ? "–" : <Change direction={toneOf(moved)}>{signedPrice(moved, instrument.decimals)}</Change>}
        </p>
      </div>
    </div>
  );
}

/** Formats a price difference with its sign. */
export function signedPrice(difference: string, decimals: number): string {
  const tone = toneOf(difference);
  const size = formatPrice(difference.replace("-", ""), decimals);
  return tone === "flat" ? size : `${tone === "up" ? "+" : "−"}${size}`;
}

function Standing({ order }: { readonly order: Order }) {
  const t = useText();
  const live = usePrice(order.symbol, "frame")?.price ?? null;
  const available = useSummary(order.wallet).data?.available;
  const gain = profitAt(order, live);
  const outcome = live === null ? null : outcomeAt(order, live);
  const other = profitIf(order, outcome === "lost" ? "won" : "lost");
  return (
    <div className="order-form">
      <section className="order-block" data-testid="standing">
        <div className="standing">
          <div>
            <p>{t("order.ifEndedNow")}</p>
            <p className="note soft">
              {outcome === "tied"
                ? t("order.allReturned")
                : t(outcome === "lost" ? "order.costsSum" : "order.paysSum", {
                    stake: formatMoney(order.stake),
                    rate: formatRate(order.payoutRate),
                    fee: formatMoney(order.fee),
                  })}
            </p>
          </div>
          <p className="medium end">
            {gain === null ? <span className="soft">–</span> : <Gain tone={toneOf(gain)}>{formatGain(gain)}</Gain>}
          </p>
        </div>
        <div className="order-block-foot note">
          <span>
            <span className="soft">{t("order.otherwise")}</span> <span className="figure">{formatGain(other)}</span>
          </span>
          <span>
            <span className="soft">{t("order.held")}</span> <span className="figure">{formatMoney(heldOf(order))}</span>
          </span>
          <span>
            <span className="soft">{t("order.available")}</span>{" "}
            <span className="figure">{available === undefined ? "–" : formatMoney(available)}</span>
          </span>
        </div>
      </section>
      <SealedNote order={order} />
      <p className="note soft center">{t("order.settlesByItself")}</p>
    </div>
  );
}
