import type { Instrument, Order } from "@fairtick/protocol";
import { Notice, Roll } from "@fairtick/ui";
import { priceDifference } from "../../../components/orders/order-figures.ts";
import { OutcomeMark } from "../../../components/orders/OutcomeMark.tsx";
import { SettingSwitch } from "../../../components/settings/SettingSwitch.tsx";
import { OneTapOffer } from "../../../components/ticket/OneTapOffer.tsx";
import { SealOrder } from "../../../components/verify/VerifyOrder.tsx";
import { formatGain, formatTime, toneOf } from "../../../shared/format.ts";
import { useText, type Text } from "../../../shared/i18n.ts";
import { ResultFacts } from "./ResultFacts.tsx";
import { ResultPath } from "./ResultPath.tsx";
import { useMoment } from "./use-moment.ts";
import "./result.css";

/** When the amount begins to roll, ms after the settlement. The other steps are in `result.css`. */
const AMOUNT_MS = 200;

interface Props {
  readonly order: Order;
  readonly instrument: Instrument;
  /** Whether the order has just been settled on this screen. */
  readonly isFresh: boolean;
}

/** An order's result. All outcomes have the same parts, size and timing; sign, shape and text tell them apart. */
export function ResultView({ order, instrument, isFresh }: Props) {
  const t = useText();
  const moves = useMoment(isFresh);
  const { outcome, profit } = order;
  if (outcome === null || profit === null) return null;
  const tone = toneOf(profit);
  const amount = formatGain(profit);
  return (
    <div className={moves ? "result moves" : "result"} data-testid="result" data-outcome={outcome}>
      <section className="result-head">
        <p className="result-word">
          <OutcomeMark outcome={outcome} />
          <span className="title medium" data-testid="outcome">
            {t(`orders.outcome.${outcome}`)}
          </span>
          {order.settledAt !== null && (
            <span className="label soft">
              {t("result.endedAt", { time: formatTime(order.exitAt ?? order.settledAt, true) })}
            </span>
          )}
        </p>
        <p
          className={tone === "flat" ? "result-amount" : `result-amount ${tone}`}
          style={{ ["--letters" as string]: amount.length + 2 }}
          data-testid="profit"
        >
          <Roll figure={amount} after={AMOUNT_MS} still={!moves} /> <span className="unit">{t("shell.usd")}</span>
        </p>
        <p className="label soft result-why">{whyOf(t, order, instrument.decimals)}</p>
      </section>
      {order.exitAt === null ? (
        <div className="result-path none">
          {order.voidReason !== null && <Notice>{t(`orders.void.${order.voidReason}`)}</Notice>}
        </div>
      ) : (
        <ResultPath order={order} decimals={instrument.decimals} />
      )}
      <div className="result-seal">
        <SealOrder order={order} decimals={instrument.decimals} name={instrument.name} draws={moves} />
      </div>
      <ResultFacts order={order} instrument={instrument} />
      <OneTapOffer />
      <div className="result-signals group">
        <SettingSwitch name="sounds" />
        <SettingSwitch name="haptics" />
      </div>
    </div>
  );
}

/** Returns one sentence: how far the price was from the entry, or why nobody won. */
function whyOf(t: Text, order: Order, decimals: number): string {
  const { outcome, entryPrice, exitPrice } = order;
  if (outcome === "voided") {
    return order.voidReason === null || order.exitAt === null
      ? t("result.voided")
      : t(`orders.void.${order.voidReason}`);
  }
  if (outcome === "unrevealed") return t("result.unrevealed");
  if (entryPrice === null || exitPrice === null) return "";
  const moved = priceDifference(entryPrice, exitPrice);
  const points = Math.abs(Math.round(Number(moved) * 10 ** decimals));
  const tone = toneOf(moved);
  if (tone === "flat") return t("result.level");
  return t(tone === "up" ? "result.above" : "result.below", { points });
}
